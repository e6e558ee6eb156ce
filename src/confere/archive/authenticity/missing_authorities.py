"""What verdicts lack an authority for: by its name and how many papers and signers, and judging those again."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from confere.archive import message_encoding
from confere.archive.authenticity.verdict_codes import PLACES
from confere.archive.transaction import Transaction
from confere.fiscal.authenticity.verdict import Check

_MET: Final = "authorities met"
"""In `info`: the authorities that were learned before verdicts were last looked through."""
_CHAIN: Final = f"{PLACES[Check.CHAIN]}:"
_LETTER: Final = f"substr(v.lines, {PLACES[Check.CHAIN] + 1}, 1)"
_CNPJ, _ROOT = 14, 8
_WAITS: Final = 0
"""A basis that no rules have: what has it is judged again by whichever there are."""


@dataclass(frozen=True, slots=True)
class MissingAuthority:
    """An authority that verdicts lack: how many papers name it as issuer, and of how many signers."""

    name: str
    papers: int
    signers: int


@dataclass(frozen=True, slots=True)
class Chains:
    """How far the chains of an archive's signed papers reach. `signers` are companies and persons: whom the
    papers name as emitter or as author, by the root of the CNPJ or by CPF.

    Of the papers: `decided` reach a root or fail, `undecided` could not be checked. A signer reaches where all of its
    papers do; `missing` are the authorities that could not be had, most papers first.
    """

    papers: int
    decided: int
    reaching: int
    signers: int
    signers_reaching: int
    missing: tuple[MissingAuthority, ...]

    @property
    def undecided(self) -> int:
        return self.papers - self.decided


def chains(transaction: Transaction) -> Chains:
    """The chains of every document, event and voided range that was judged, by the signers that the papers name."""
    papers: Counter[str] = Counter()
    reaches: dict[str, bool] = {}
    lacking: dict[int, Counter[str]] = defaultdict(Counter)
    # An answer that stands alone has no signature and says so on its own line; its chain is not applicable.
    for letter, whys, signer, count in transaction.fetch(
        f"SELECT {_LETTER}, v.whys, coalesce(t.tax_id, e.author) AS signer, count(*) FROM verdict v"
        " LEFT JOIN document d ON v.kind = 0 AND d.content_id = v.content_id AND d.position = v.position"
        " LEFT JOIN event e ON v.kind = 1 AND e.content_id = v.content_id AND e.position = v.position"
        " LEFT JOIN taxpayer t ON t.id = CASE v.kind WHEN 2 THEN (SELECT max(x.emitter_id) FROM document x"
        " WHERE x.content_id = v.content_id AND x.type = 'voiding') ELSE d.emitter_id END"
        f" WHERE v.kind IN (0, 1, 2) AND {_LETTER} IN ('o', 'f', 'u') GROUP BY 1, 2, 3"
    ):
        papers[letter] += count
        who = (signer[:_ROOT] if len(signer) == _CNPJ else signer) if signer else ""
        reaches[who] = reaches.get(who, True) and letter == "o"
        if letter == "u" and (number := _chain_why(whys)) is not None:
            lacking[number][who] += count
    return Chains(
        papers.total(),
        papers["o"] + papers["f"],
        papers["o"],
        len(reaches),
        sum(reaches.values()),
        _missing(transaction, lacking),
    )


def knows(transaction: Transaction, known: Mapping[str, str]) -> bool:
    """Whether verdicts were looked through since all of these authorities (fingerprint: name) are known."""
    return known.keys() <= _met(transaction)


def meet(transaction: Transaction, known: Mapping[str, str]) -> int:
    """Let what lacked one of these authorities (fingerprint: name) be judged again; how many contents that is."""
    names = {name for mark, name in known.items() if mark not in _met(transaction)}
    numbers = {
        number
        for number, text in transaction.fetch("SELECT id, text FROM why")
        if message_encoding.read(text).params.get("name") in names
    }
    contents = {
        content_id
        for content_id, whys in transaction.fetch("SELECT content_id, whys FROM verdict WHERE whys IS NOT NULL")
        if _chain_why(whys) in numbers
    }
    transaction.execute_many(
        f"UPDATE verdict SET basis_id = {_WAITS} WHERE content_id = ?", [(number,) for number in sorted(contents)]
    )
    transaction.execute(
        "INSERT INTO info (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        (_MET, json.dumps(sorted(known))),
    )
    return len(contents)


def _met(transaction: Transaction) -> frozenset[str]:
    said = transaction.scalar("SELECT value FROM info WHERE name = ?", (_MET,))
    return frozenset(json.loads(said)) if said else frozenset()


def _chain_why(whys: str | None) -> int | None:
    """The number of the sentence on the chain."""
    for entry in (whys or "").split():
        if entry.startswith(_CHAIN):
            return int(entry.removeprefix(_CHAIN))
    return None


def _missing(transaction: Transaction, lacking: Mapping[int, Counter[str]]) -> tuple[MissingAuthority, ...]:
    texts: dict[int, str] = dict(transaction.fetch_in("SELECT id, text FROM why WHERE id IN {}", set(lacking)))
    by_name: dict[str, Counter[str]] = defaultdict(Counter)
    for number, signers in lacking.items():
        name = message_encoding.read(texts.get(number, "")).params.get("name")
        if name is not None:
            by_name[str(name)].update(signers)
    found = [MissingAuthority(name, signers.total(), len(signers)) for name, signers in by_name.items()]
    return tuple(sorted(found, key=lambda entry: (-entry.papers, entry.name)))
