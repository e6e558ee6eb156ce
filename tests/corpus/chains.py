"""How many chains are decided, by the year of signing: with the authorities of before and with today's own file."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from lxml import etree

from confere.fiscal.authenticity.certificates import certificate_bundles, learnable_authorities
from confere.fiscal.authenticity.certificates.trust_chain import Trust
from confere.fiscal.authenticity.judge import JudgedDocument, judge_root
from confere.fiscal.authenticity.verdict import Check, CheckLine, Result, SignedKind
from confere.fiscal.model import Paper
from confere.system.resources import resource
from tests.corpus.tables import table

BEFORE = Path(__file__).with_name("authorities_before.txt")
"""How the fingerprints begin of the authorities that the package of 2023.7.3 (certifi-icpbr) carried, one a line."""
_UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Chain:
    """The chain of one signed paper. `year` is that of its signing, `readable` whether it has a certificate at all."""

    year: str
    before: Result
    after: Result
    readable: bool

    @property
    def decided(self) -> tuple[bool, bool]:
        """Before and after: it reaches a root, or is known to reach none."""
        return (self.before in _DECIDED, self.after in _DECIDED)


_DECIDED = (Result.OK, Result.FAILED)


@cache
def trust_before() -> Trust:
    """The authorities that were at hand before there was a file of our own, all of which it still has."""
    marks = set(BEFORE.read_text(encoding="ascii").split())
    known = certificate_bundles.read(resource("trust", "icp-brasil.pem").read_bytes()).certificates
    return Trust(entry for entry in known if learnable_authorities.fingerprint(entry)[:12] in marks)


def of(root: etree._Element, paper: Paper, judged: Sequence[JudgedDocument]) -> Iterator[Chain]:
    """The chains of the signed papers in a file."""
    earlier = {(entry.kind, entry.position): entry for entry in judge_root(root, trust_before())}
    for entry in judged:
        line = entry.verdict.line(Check.CHAIN)
        if line.result is not Result.NOT_APPLICABLE:
            before = earlier[entry.kind, entry.position].verdict.line(Check.CHAIN)
            yield Chain(_year(paper, entry), before.result, line.result, _has_certificate(line))


def _has_certificate(line: CheckLine) -> bool:
    return line.why is None or "words" not in line.why.params


def _year(paper: Paper, judged: JudgedDocument) -> str:
    at = None
    if judged.kind is SignedKind.DOCUMENT and judged.position < len(paper.documents):
        at = paper.documents[judged.position].issued_at
    elif judged.kind is SignedKind.EVENT and judged.position < len(paper.events):
        at = paper.events[judged.position].occurred_at
    elif judged.kind is SignedKind.VOIDING and judged.position < len(paper.voidings):
        year = paper.voidings[judged.position].year
        at = f"20{year}"[-4:] if year else None
    return at[:4] if at else _UNKNOWN


def by_year(found: Iterable[Chain]) -> Iterator[str]:
    """The share of chains that are decided, year by year."""
    years: dict[str, list[Chain]] = defaultdict(list)
    for chain in found:
        years[chain.year].append(chain)
    if not years:
        return
    rows = [_row(year, chains) for year, chains in sorted(years.items())]
    rows.append(_row("all", [chain for chains in years.values() for chain in chains]))
    head = ["signed in", "papers", "without a certificate", "decided before", "%", "decided now", "%"]
    yield "chains decided, before (certifi-icpbr 2023.7.3) and now:\n" + table(head, rows)


def _row(year: str, chains: Sequence[Chain]) -> list[object]:
    readable = [chain for chain in chains if chain.readable]
    before, after = (sum(chain.decided[moment] for chain in readable) for moment in (0, 1))
    shares = [f"{100 * count // len(readable)}" if readable else "-" for count in (before, after)]
    return [year, len(chains), len(chains) - len(readable), before, shares[0], after, shares[1]]
