"""`confere relations`: the JSON that scripts rely on, and the trees that people read."""

from __future__ import annotations

from pathlib import Path

import pytest

from confere.app.context import Workspace
from tests.archive.papers import store
from tests.cli.running import Call
from tests.fiscal import made

REMESSA, SALE, RETURN = (made.access_key(number=number) for number in (11, 12, 13))
FREIGHT = made.cte_key(number=21)


def note(key: str, nature: str, *refers: str, process: str = "") -> bytes:
    references = "".join(f"<NFref><refNFe>{other}</refNFe></NFref>" for other in refers)
    told = f'<infAdic><obsCont xCampo="external_id"><xTexto>{process}</xTexto></obsCont></infAdic>' if process else ""
    body = made.note(key, number=str(int(key[25:34])), nature=nature, in_ide=references, additional=told)
    return made.nfe_proc(body, made.protocol(key)).encode()


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A sale whose remessa is not here, with its freight, its return and an event."""
    folder = tmp_path / "home"
    freight = made.cte_proc(made.freight(FREIGHT, documents=[SALE]), made.protocol(FREIGHT, tag="CTe"))
    with Workspace.at(folder).writing("test") as archive:
        store(
            archive,
            note(SALE, "Venda", REMESSA, process="SALE-sale-7-1"),
            note(RETURN, "Devolução", SALE),
            freight.encode(),
            made.event_proc(SALE, code="110110", detail="<xCorrecao>Uma caixa</xCorrecao>").encode(),
        )
    return folder


def test_the_json_says_it_both_ways_with_the_chain(call: Call, home: Path) -> None:
    done = call("relations", SALE, "--home", home, "--json")
    assert (done.code, done.err) == (0, "")
    assert done.json["access_key"] == SALE
    assert done.json["out"] == [{"kind": "references", "key": REMESSA, "archived": False, "claimed_by": ["xml"]}]
    assert [(entry["kind"], entry["key"], entry["archived"]) for entry in done.json["in"]] == [
        ("carries", FREIGHT, True),
        ("references", RETURN, True),
    ]
    chain = done.json["chain"]
    assert [(entry["access_key"], entry["archived"], entry["refers_to"]) for entry in chain] == [
        (REMESSA, False, []),
        (SALE, True, [REMESSA]),
        (FREIGHT, True, [SALE]),
        (RETURN, True, [SALE]),
    ]
    assert [entry["operation"] for entry in chain] == [None, "sale", "freight", "devolution"]
    assert [entry["role"] for entry in chain] == ["before", "self", "carrier", "after"]
    assert chain[1]["evidence"] == "external_id names sale"
    assert chain[1]["events"] == [{"code": "110110", "registered": True}]
    (event,) = done.json["events"]
    assert (event["kind"], event["code"], event["registered"]) == ("belongs_to", "110110", True)


def test_people_see_trees_with_hollow_marks_for_what_is_not_here(call: Call, home: Path) -> None:
    shown = call("relations", SALE, "--home", home)
    assert shown.code == 0
    lines = shown.out.splitlines()
    (absent,) = {line.strip("│├└─ ") for line in lines if "○" in line}
    assert absent == "○ NF-e 1/11 · not in the archive"
    assert any("└── ● NF-e 1/13 · devolution" in line for line in lines)
    assert any("this document" in line and SALE in line for line in lines)
    for key in (REMESSA, SALE, RETURN, FREIGHT):
        assert key in shown.out
    assert "refers to" in shown.out
    assert "is carried by" in shown.out


def test_an_absent_document_has_relations_too(call: Call, home: Path) -> None:
    done = call("relations", REMESSA, "--home", home, "--json")
    assert done.code == 0
    assert [entry["key"] for entry in done.json["in"]] == [SALE]
    assert done.json["chain"][0]["archived"] is False
    grouped = " ".join(REMESSA[start : start + 4] for start in range(0, 44, 4))
    assert call("relations", grouped, "--home", home, "--json").json["access_key"] == REMESSA


@pytest.mark.parametrize("name", ["41170706117473000150550010000010000463202612", "0" * 64, "999999", "x"])
def test_what_nobody_knows_is_wrong_use(call: Call, home: Path, name: str) -> None:
    done = call("relations", name, "--home", home)
    assert (done.code, done.out) == (2, "")
    assert name in done.err


def test_a_long_list_is_cut_for_people_alone(call: Call, home: Path) -> None:
    returns = [made.access_key(number=number) for number in range(100, 140)]
    with Workspace.at(home).writing("test") as archive:
        store(archive, *(note(key, "Retorno", REMESSA) for key in returns))
    told = call("relations", REMESSA, "--home", home).out
    assert "is referred to by (41)" in told
    assert "and 21 more; all of them with --json" in told
    assert len(call("relations", REMESSA, "--home", home, "--json").json["in"]) == 41


def test_what_a_paper_writes_commands_no_terminal(call: Call, home: Path) -> None:
    key = made.access_key(number=50)
    with Workspace.at(home).writing("test") as archive:
        store(archive, note(key, "Venda \x85\x9b31m", SALE))
    shown = call("relations", key, "--home", home)
    assert shown.code == 0
    assert not set(shown.out) & {chr(number) for number in range(0x7F, 0xA0)}
