"""The verdict on the papers of a file beside what a manifest and xmlsec say of their signatures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from lxml import etree

from confere.app.authenticity.trust import schemas_for, trust_for
from confere.fiscal.authenticity.certificates.trust_chain import Trust
from confere.fiscal.authenticity.judge import JudgedDocument, judge_root
from confere.fiscal.authenticity.schemas import SchemaSet
from confere.fiscal.authenticity.verdict import Check, Result, Verdict
from confere.system.paths import Home
from tests.corpus.files import Row
from tests.corpus.manifest import Compared
from tests.corpus.xmlsec_opinion import INVALID, VALID, Opinion

HOLDS, BROKEN = "holds", "broken"
WORDS = {Result.OK: HOLDS, Result.FAILED: BROKEN}
INDENTED = "indentation"
ALONE = "alone"


@dataclass(frozen=True, slots=True)
class Court:
    """What papers are judged by: the certificates and schemas of an installation whose user added none."""

    trust: Trust
    schemas: SchemaSet

    def judge(self, root: etree._Element) -> tuple[JudgedDocument, ...]:
        """The verdicts on the papers below `root`, as a production account's."""
        return judge_root(root, self.trust, schemas=self.schemas)


@cache
def court() -> Court:
    with TemporaryDirectory() as nowhere:
        home = Home(Path(nowhere))
        return Court(trust_for(home), schemas_for(home))


def beside_manifest(row: Row, judged: Sequence[JudgedDocument]) -> Iterator[Compared]:
    """The columns on the first paper's signature. A manifest gives its results after undoing an indentation."""
    if not judged:
        return
    verdict = judged[0].verdict
    digest, value = verdict.line(Check.DIGEST).result, verdict.line(Check.SIGNATURE).result
    said, mode = row["sig_valid"].partition(";")[0], row["sig_mode"].partition(";")[0]
    yield Compared("sig_valid", as_received(said, mode), together(verdict))
    if mode == "in-place":
        yield Compared("sig_valid digest", BROKEN if "digest=False" in said else HOLDS, WORDS.get(digest, digest))
        yield Compared("sig_valid value", HOLDS, WORDS.get(value, value))
    elif "digest=" in said:
        yield Compared("sig_valid digest", BROKEN, WORDS.get(digest, digest))
    if said == "VALID":
        yield Compared("sig_mode", mode, own_mode(verdict))
    elif mode == "ws-stripped":
        yield Compared("sig_valid value", "ws-stripped", value_mode(verdict))
    protocol = verdict.line(Check.PROTOCOL_DIGEST).result
    if row["digval_match"] == "yes":
        yield Compared("digval_match (verdict)", HOLDS, WORDS.get(protocol, protocol))
    if row["key_dv"] in ("ok", "BAD") and row["key"] == judged[0].access_key:
        digit = verdict.line(Check.CHECK_DIGIT).result
        yield Compared("key_dv (verdict)", HOLDS if row["key_dv"] == "ok" else BROKEN, WORDS.get(digit, digit))
    if row["id_matches_fields"]:
        yield Compared("id_matches_fields (verdict)", row["id_matches_fields"], own_differing(verdict))


# What the manifest calls the fields that disagree with the key, beside the verdict's names; it looks at no others.
KEY_FIELDS = {
    "cUF": "cUF",
    "dhEmi": "AAMM",
    "CNPJ": "CNPJ",
    "mod": "mod",
    "serie": "serie",
    "nNF": "num",
    "nCT": "num",
    "nMDF": "num",
}


def own_differing(verdict: Verdict) -> str:
    why = verdict.line(Check.KEY_FIELDS).why
    names = str(why.params.get("fields", "")).split(", ") if why is not None else []
    differing = ",".join(KEY_FIELDS[name] for name in names if name in KEY_FIELDS)
    return f"diff:{differing}" if differing else "ok"


def as_received(said: str, mode: str) -> str:
    """The manifest's word on a signature as the file has it, before anything is undone."""
    if not said:
        return ""
    return HOLDS if said == "VALID" and mode != "ws-stripped" else BROKEN


def together(verdict: Verdict) -> str:
    """Both lines on the signature as one word; empty where there is none."""
    digest, value = verdict.line(Check.DIGEST), verdict.line(Check.SIGNATURE)
    if digest.result is Result.NOT_APPLICABLE or Result.UNCHECKED == digest.result == value.result:
        return ""
    if Result.FAILED in (digest.result, value.result):
        return BROKEN
    return HOLDS if digest.result is value.result is Result.OK else "unchecked"


def own_mode(verdict: Verdict) -> str:
    """How a signature holds, in the manifest's words, from the sentences of the verdict."""
    said = [str(verdict.line(check).why or "") for check in (Check.DIGEST, Check.SIGNATURE)]
    if any(INDENTED in why for why in said):
        return "ws-stripped"
    return "detached" if any(ALONE in why for why in said) else "in-place"


def value_mode(verdict: Verdict) -> str:
    """How the value alone holds: the signed text changed, but not what the value covers."""
    line = verdict.line(Check.SIGNATURE)
    return "ws-stripped" if INDENTED in str(line.why or "") else WORDS.get(line.result, line.result.value)


def beside_xmlsec(judged: Sequence[JudgedDocument], opinions: Sequence[Opinion]) -> Iterator[Compared]:
    """Every signature that xmlsec has an opinion on."""
    verdicts = {(entry.kind.value, entry.position): entry.verdict for entry in judged}
    for opinion in opinions:
        if opinion.result in (VALID, INVALID):
            verdict = verdicts.get((opinion.kind, opinion.position))
            ours = together(verdict) if verdict is not None else "not judged"
            yield Compared("signature", HOLDS if opinion.result == VALID else BROKEN, ours)
            if opinion.result == VALID and verdict is not None:
                yield Compared("mode", "detached" if opinion.alone else "in-place", own_mode(verdict))
