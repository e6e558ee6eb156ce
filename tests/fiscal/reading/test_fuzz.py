"""Damaged papers: whatever happens to the bytes, the reader gives a paper or a PaperError."""

from __future__ import annotations

import json
from dataclasses import asdict

from hypothesis import given, settings
from hypothesis import strategies as st

from confere.errors import PaperError
from confere.fiscal.direction import direction
from confere.fiscal.model import Paper
from confere.fiscal.operations import classify
from confere.fiscal.periods import local_date
from confere.fiscal.reading.document import read
from confere.fiscal.state import effective_state
from confere.fiscal.warnings import explain
from tests.fiscal import made

KEY = made.access_key()
PAPERS = [
    made.nfe_proc(made.note(items=[made.item(), made.item(2)]), made.protocol(KEY), made.event_proc(KEY)).encode(),
    made.cte_proc(made.freight(documents=[KEY]), made.protocol(made.cte_key(), tag="CTe")).encode(),
    made.soap(made.event_proc(KEY)).encode(),
    made.event_proc(made.cte_key(), tag="CTe", detail="<evCCeCTe><xJust>x</xJust></evCCeCTe>").encode(),
    made.nfe_proc().encode("utf-16"),
    b"<procInutNFe><inutNFe><infInut><nNFIni>1</nNFIni><serie>1</serie></infInut></inutNFe></procInutNFe>",
]
TOKENS = sorted({token for paper in PAPERS for token in paper.replace(b"<", b"\n<").replace(b">", b">\n").split(b"\n")})

edits = st.tuples(
    st.floats(0, 1, exclude_max=True), st.integers(0, 40), st.one_of(st.binary(max_size=6), st.sampled_from(TOKENS))
)


def use(paper: Paper) -> None:
    """What every other room does with a paper: no value in it may surprise a rule or the storage."""
    json.dumps(asdict(paper), default=str)
    for document in paper.documents:
        direction(document, made.EMITTER)
        classify(external_id=document.external_id, nature=document.operation, cfops=document.cfops)
        local_date(document.issued_at or "")
        effective_state(document.protocol.cstat if document.protocol else None, ())
        for amount in (document.totals.document, document.number, document.series):
            assert amount is None or abs(amount) < 2**63
    for warning in paper.warnings:
        assert str(explain(warning))


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(PAPERS), st.lists(edits, min_size=1, max_size=6))
def test_damaged_bytes(paper: bytes, damage: list[tuple[float, int, bytes]]) -> None:
    for place, length, replacement in damage:
        position = int(place * len(paper))
        paper = paper[:position] + replacement + paper[position + length :]
    try:
        use(read(paper))
        use(read(paper, whole=True))
    except PaperError as error:
        assert str(error)


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(PAPERS[:4]), st.data())
def test_elements_moved_about(paper: bytes, data: st.DataObject) -> None:
    """Well-formed but absurd: whole leaves swapped, emptied, doubled, their texts replaced."""
    pieces = paper.decode().replace("><", ">\0<").split("\0")
    for _ in range(data.draw(st.integers(1, 5))):
        first, second = (data.draw(st.integers(0, len(pieces) - 1)) for _ in range(2))
        name = pieces[first].partition(">")[0].lstrip("<").split(" ")[0]
        if pieces[first].startswith(f"<{name}") and pieces[first].endswith(f"</{name}>"):
            change = data.draw(
                st.sampled_from(["", f"<{name}/>", pieces[first] * 2, pieces[second], "<NFe><infNFe/></NFe>"])
            )
            pieces[first] = change
        elif ">" in pieces[first]:
            pieces[first] = pieces[first].replace(
                ">", f">{data.draw(st.sampled_from(['&#10; ', 'x', '٣', '-1', '1,5']))}", 1
            )
    try:
        use(read("".join(pieces).encode()))
        use(read("".join(pieces).encode(), whole=True))
    except PaperError as error:
        assert str(error)
