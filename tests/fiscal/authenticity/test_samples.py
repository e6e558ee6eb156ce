"""Every signed file at hand beside independent programs, and beside the manifest's second opinion where it is."""

from __future__ import annotations

import csv
import warnings
from collections import Counter
from pathlib import Path

import nfelib
import signxml
import xmlsec
from lxml import etree
from signxml.exceptions import InvalidDigest, InvalidInput, InvalidSignature

from confere.errors import PaperError
from confere.fiscal.authenticity.certificates.trust_chain import Trust
from confere.fiscal.authenticity.judge import World, judge_paper
from confere.fiscal.authenticity.verdict import Check, CheckLine, Result
from tests.conftest import ROOT
from tests.fiscal.authenticity.signing import DSIG, xmlsec_holds

SHARED = ROOT.parent / "shared" / "samples"
PACKAGED = Path(nfelib.__file__).parent
FILES = [
    path
    for folder in (PACKAGED, SHARED)
    for path in sorted(folder.rglob("*"))
    if path.suffix.lower() == ".xml" and b"Signature" in path.read_bytes()
]
MANIFEST = SHARED / "manifest.tsv"


def judged(path: Path) -> list[dict[Check, CheckLine]]:
    try:
        return [{line.check: line for line in one.verdict.lines} for one in judge_paper(path.read_bytes(), Trust.of())]
    except PaperError:
        return []


def test_the_word_is_xmlsecs_wherever_it_can_read_the_certificate() -> None:
    compared: Counter[bool] = Counter()
    for path in FILES:
        lines, data = judged(path), path.read_bytes()
        if len(lines) != 1 or data.count(b"<SignatureValue") != 1:
            continue
        both = [lines[0][check] for check in (Check.DIGEST, Check.SIGNATURE)]
        if any(line.result is Result.UNCHECKED for line in both):
            continue
        try:
            theirs = xmlsec_holds(data)
        except (StopIteration, xmlsec.Error):
            continue  # no certificate, or one that it cannot read
        # What holds for the paper alone does not, to the letter, hold where it stands: xmlsec judges that.
        ours = all(line.result is Result.OK and line.why is None for line in both)
        assert ours == theirs, path
        compared[ours] += 1
    assert compared[False] >= 10
    if MANIFEST.exists():
        assert compared[True] == 3
        assert compared[False] >= 60


def test_no_genuine_protocol_is_accused() -> None:
    """Of all papers at hand those alone have odd numbers that are made up: their signature or their key fails too."""
    told: Counter[tuple[Result, bool]] = Counter()
    for path in FILES:
        for lines in judged(path):
            line = lines[Check.PROTOCOL]
            odd = line.why is not None and line.why.id.startswith("The protocol {number}")
            if odd or line.result is Result.OK:
                told[line.result, odd] += 1
            if odd:
                checks = (Check.DIGEST, Check.SIGNATURE, Check.CHECK_DIGIT, Check.KEY_FIELDS)
                assert any(lines[check].result is Result.FAILED for check in checks), path
    assert told[Result.OK, False] >= 15
    if MANIFEST.exists():
        assert told[Result.OK, False] >= 60
        assert told[Result.FAILED, True] + told[Result.UNCHECKED, True] <= 10


def signxml_holds(data: bytes) -> bool:
    root = etree.fromstring(data)
    signed = next(root.iter(f"{{{DSIG}}}Signature")).getparent()
    assert signed is not None
    encoded = next(signed.iter(f"{{{DSIG}}}X509Certificate")).text
    verifier = signxml.XMLVerifier()
    verifier.excise_empty_xmlns_declarations = True
    configuration = signxml.SignatureConfiguration(
        signature_methods=frozenset({signxml.SignatureMethod.RSA_SHA1}),
        digest_algorithms=frozenset({signxml.DigestAlgorithm.SHA1}),
    )
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            verifier.verify(
                signed,
                x509_cert=f"-----BEGIN CERTIFICATE-----\n{encoded}\n-----END CERTIFICATE-----\n",
                id_attribute="Id",
                expect_config=configuration,
            )
    except (InvalidDigest, InvalidInput, InvalidSignature):
        return False
    return True


def test_signxml_says_the_same_of_sandbox_papers(papers: dict[str, bytes], sandbox_trust: Trust) -> None:
    for name in ("note: return", "freight: freight, 2026", "event: cancellation", "voiding", "note: consumer note"):
        whole = papers[name]
        for data in (whole, whole.replace(b"Sandbox", b"sandbox", 1), whole.replace(b"35", b"36", 1)):
            (one,) = judge_paper(data, sandbox_trust, world=World.SANDBOX)
            both = {one.verdict.line(Check.DIGEST).result, one.verdict.line(Check.SIGNATURE).result}
            assert (both == {Result.OK}) == signxml_holds(data), name


def test_the_manifests_second_opinion() -> None:
    """`sig_valid`, `sig_mode` and `digval_match` of every row: each has one meaning in lines of the verdict."""
    if not MANIFEST.exists():
        assert not SHARED.exists()  # a clone without the shared files: the packaged ones above stand for them
        return
    rows = list(csv.DictReader(MANIFEST.read_text(encoding="utf-8").splitlines(), delimiter="\t"))
    assert len(rows) == 201
    compared = 0
    for row in rows:
        lines = judged(SHARED / row["file"])
        opinion, mode = row["sig_valid"], row["sig_mode"]
        if not lines:
            continue
        if ";" in opinion:  # an event of an NFS-e: signed by who asked and, around that, by who registered it
            assert opinion == "digest=False,sig=False;digest=False,sig=False"
            assert lines[0][Check.DIGEST].result is lines[0][Check.SIGNATURE].result is Result.FAILED
            continue
        digest, value, answered = (lines[0][check] for check in (Check.DIGEST, Check.SIGNATURE, Check.PROTOCOL_DIGEST))
        expected = {
            "yes": Result.OK,
            "no": Result.FAILED,
            "prot-without-digVal": Result.NOT_APPLICABLE,
        }.get(row["digval_match"], Result.NOT_APPLICABLE)
        if opinion:
            compared += 1
            assert answered.result is expected, row["file"]
            assert (digest.result is Result.OK) == (opinion == "VALID" and mode != "ws-stripped"), row["file"]
            holds = opinion == "VALID" or opinion.endswith("sig=True")
            if mode == "ws-stripped":
                # It held before somebody indented it: as received it does not, and the reason says so.
                assert value.result is Result.FAILED
                assert "without its indentation" in str(value.why), row["file"]
                assert ("without its indentation" in str(digest.why)) == (opinion == "VALID"), row["file"]
            elif opinion.endswith(("bad-cert", "no-cert")):
                assert value.result is Result.FAILED, row["file"]
            elif opinion.endswith("sig=None"):
                assert value.result in (Result.FAILED, Result.UNCHECKED)
            else:
                assert (value.result is Result.OK) == holds, row["file"]
            if mode == "detached":
                assert "alone" in str(digest.why)
        elif "There is no signature." not in str(value.why):
            # The manifest looks for signatures of their namespace; this one has none, and answers stand alone.
            assert value.result in (Result.FAILED, Result.UNCHECKED), row["file"]
    assert compared == 69
