"""The line on the official schema: nfelib's schemas over its samples and the sandbox's papers; nothing else is read."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import nfelib
import pytest

from confere.fiscal.authenticity.certificates.trust_chain import Trust
from confere.fiscal.authenticity.judge import World, judge_paper
from confere.fiscal.authenticity.schemas import SchemaSet
from confere.fiscal.authenticity.verdict import Check, CheckLine, Result
from tests.fiscal.authenticity.signing import NFE
from tests.sandbox_hub.paper.cases import EVENTS, FREIGHTS, NOTES

PACKAGED = Path(nfelib.__file__).parent
NOTE = "note: sale between states, 2026"


@cache
def packaged() -> SchemaSet:
    return SchemaSet({path.relative_to(PACKAGED).as_posix(): path.read_bytes() for path in PACKAGED.rglob("*.xsd")})


def line(data: bytes, schemas: SchemaSet | None = None) -> CheckLine:
    (judged,) = judge_paper(data, Trust.of(), world=World.SANDBOX, schemas=schemas or packaged())
    return judged.verdict.line(Check.SCHEMA)


def test_the_sandboxs_papers_are_valid(papers: dict[str, bytes]) -> None:
    names = [f"note: {name}" for name in NOTES] + [f"freight: {name}" for name in FREIGHTS]
    names += [f"event: {name}" for name in EVENTS] + ["voiding"]
    assert {name: line(papers[name]) for name in names if line(papers[name]).result is not Result.OK} == {}


def test_a_schema_that_lags_behind_letters_says_so_and_decides_nothing(papers: dict[str, bytes]) -> None:
    data = papers["lettered event: cancellation"]
    (judged,) = judge_paper(data, Trust.of(), world=World.SANDBOX, schemas=packaged())
    found = judged.verdict.line(Check.SCHEMA)
    assert found.result is Result.FAILED
    assert "12ABC34501DE35" in str(found.why)
    assert "The official schema objects" in str(found.why)
    assert "{http" not in str(found.why)


@pytest.mark.parametrize(
    ("name", "before", "after", "words"),
    [
        (NOTE, b"<nNF>4711", b"<nNF>04711", "nNF"),
        (NOTE, b"<natOp>", b"<natOX>", "natO"),
        # What the layout of the whole leaves open has a schema of its own.
        ("freight: freight, 2026", b"<RNTRC>", b"<RNTRC>X", "RNTRC"),
        ("event: cancellation", b"<xJust>", b"<xJust/><xJust>", "xJust"),
        ("event: freight cancelled", b"<xJust>", b"<xJuz>", "xJu"),
        ("voiding", b"<nNFIni>4712", b"<nNFIni>x", "nNFIni"),
    ],
)
def test_an_error_is_named(papers: dict[str, bytes], name: str, before: bytes, after: bytes, words: str) -> None:
    changed = papers[name].replace(before, after, 1)
    assert changed != papers[name]
    if before == b"<natOp>":
        changed = changed.replace(b"</natOp>", b"</natOX>", 1)
    if before == b"<xJust>" and after == b"<xJuz>":
        changed = changed.replace(b"</xJust>", b"</xJuz>", 1)
    found = line(changed)
    assert found.result is Result.FAILED
    assert words in str(found.why)
    assert line(papers[name]).result is Result.OK


def test_what_has_no_schema_here_is_unchecked_and_named(papers: dict[str, bytes]) -> None:
    old = papers[NOTE].replace(b'versao="4.00"><ide>', b'versao="3.10"><ide>')
    assert (line(old).result, str(line(old).why)) == (Result.UNCHECKED, "There is no schema nfe_v3.10.xsd at hand.")
    none = papers[NOTE].replace(b'versao="4.00"><ide>', b'versao="../../etc"><ide>')
    assert (line(none).result, str(line(none).why)) == (
        Result.UNCHECKED,
        "It does not say which layout it follows.",
    )
    assert str(line(papers[NOTE], SchemaSet({})).why) == "No official schemas are installed."
    answer = papers["voiding"]
    alone = answer[answer.index(b"<retInutNFe") : answer.index(b"</retInutNFe>") + 13]
    assert line(alone).result is Result.NOT_APPLICABLE


SCHEMA = (
    '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns="{0}" targetNamespace="{0}">{1}'
    '<xs:element name="NFe" type="{2}"/></xs:schema>'
)
ANY = '<xs:complexType name="T"><xs:sequence><xs:any minOccurs="0" maxOccurs="unbounded" processContents="skip"/>'
ANY += "</xs:sequence></xs:complexType>"
PARTS = f'<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="{NFE}">{ANY}</xs:schema>'.encode()


def test_the_users_own_schema_wins_and_finds_its_parts_beside_itself(papers: dict[str, bytes]) -> None:
    own = SCHEMA.format(NFE, '<xs:include schemaLocation="parts.xsd"/>', "T").encode()
    first = {"package/nfe/nfe_v4.00.xsd": SCHEMA.format(NFE, "", "xs:int").encode()}
    assert line(papers[NOTE], SchemaSet(first)).result is Result.FAILED
    both = SchemaSet({**first, "own/a/nfe_v4.00.xsd": own, "own/a/parts.xsd": PARTS, "own/b/parts.xsd": b"<no/>"})
    assert line(papers[NOTE], both).result is Result.OK
    elsewhere = SchemaSet({"own/a/nfe_v4.00.xsd": own, "own/b/parts.xsd": PARTS})
    assert line(papers[NOTE], elsewhere).result is Result.OK


@pytest.mark.parametrize("place", ["file://{}", "{}", "http://127.0.0.1:9/x.xsd", "../../../{}"])
def test_nothing_outside_the_set_is_ever_read(papers: dict[str, bytes], tmp_path: Path, place: str) -> None:
    outside = tmp_path / "outside.xsd"
    outside.write_text(
        f'<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="{NFE}">{ANY}</xs:schema>'
    )
    included = f'<xs:include schemaLocation="{place.format(outside.as_posix())}"/>'
    found = line(papers[NOTE], SchemaSet({"nfe_v4.00.xsd": SCHEMA.format(NFE, included, "T").encode()}))
    assert found.result is Result.UNCHECKED
    assert "nfe_v4.00.xsd cannot be used" in str(found.why)


@pytest.mark.parametrize(
    "data", [b"", b"no", b"<a/>", b'<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>']
)
def test_a_file_that_is_no_schema_is_unchecked(papers: dict[str, bytes], data: bytes) -> None:
    assert line(papers[NOTE], SchemaSet({"nfe_v4.00.xsd": data})).result is Result.UNCHECKED
