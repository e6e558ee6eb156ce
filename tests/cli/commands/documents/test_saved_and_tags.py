"""Saved searches and tags on the command line, on an archive of real papers."""

from __future__ import annotations

import csv
from pathlib import Path

from tests.cli.running import Call


def _keys(call: Call, home: Path, *options: str) -> list[str]:
    found = call("list", "--home", home, "--json", "--all", *options)
    assert found.code == 0, found.err
    return [row["access_key"] or f"row:{row['row']}" for row in found.json["documents"]]


def test_tags_are_put_found_and_taken_off(home: Path, call: Call, tmp_path: Path) -> None:
    every = _keys(call, home, "--type", "nfe")
    first, second, third = every[:3]
    done = call("tag", "add", "--home", home, "--json", "A  pagar", first, second.lower())
    assert done.json == {"tag": "A pagar", "new": True, "changed": 2, "already": 0}
    again = call("tag", "add", "--home", home, "--json", "a PAGÁR", second, third)
    assert again.json == {"tag": "A pagar", "new": False, "changed": 1, "already": 1}
    assert call("tag", "list", "--home", home, "--json").json == {
        "tags": [{"name": "A pagar", "colour": 0, "documents": 3}]
    }
    for asked in (("--tag", "a pagar"), ('marca:"A pagar"',), ('etiqueta:"a pagar"', "tipo:nfe")):
        assert _keys(call, home, *asked) == every[:3]
    assert call("show", "--home", home, "--json", first).json["tags"] == ["A pagar"]
    table = tmp_path / "list.csv"
    assert call("list", "--home", home, "--csv", table, "--tag", "a pagar").code == 0
    rows = list(csv.reader(table.read_text(encoding="utf-8-sig").splitlines(), delimiter=";"))
    assert [row[-1] for row in rows] == ["Tags", "A pagar", "A pagar", "A pagar"]
    gone = call("tag", "remove", "--home", home, "--json", "a pagar", first, every[4])
    assert gone.json == {"tag": "A pagar", "new": False, "changed": 1, "already": 1}
    assert _keys(call, home, "--tag", "a pagar") == every[1:3]


def test_a_tag_that_is_renamed_is_renamed_in_saved_searches(home: Path, call: Call) -> None:
    first, second, *_ = _keys(call, home, "--type", "nfe")
    assert call("tag", "add", "--home", home, "a pagar", first).code == 0
    assert call("tag", "add", "--home", home, "pagar", second).code == 0
    for name, *asked in (
        ("words", 'marca:"A PAGÁR,pagar" -tag: pagar valor>0 a pagar'), ("alone", "etiqueta:\"A pagar\""),
            ("filters", "--tag", "A pagar"),
        ("both", "(etiqueta:pagar OU uf:SP)", "--tag", "a pagar", "--tag", "pagar"), ("other", "pagar"),
    ):  # fmt: skip
        assert call("saved", "add", "--home", home, name, *asked).code == 0
    found = _keys(call, home, "--saved", "filters")
    done = call("tag", "rename", "--home", home, "--json", "a pagar", "Pago: já")
    assert done.json == {"tag": "Pago: já", "documents": 1, "searches": ["words", "alone", "filters", "both"]}
    assert _keys(call, home, "--saved", "filters") == found == [first]
    assert call("tag", "rename", "--home", home, "pagar", "(pendente)").code == 0
    kept = {entry["name"]: entry for entry in call("saved", "list", "--home", home, "--json").json["saved"]}
    assert kept["words"]["words"] == 'marca:"Pago: já,(pendente)" -tag: "(pendente)" valor>0 a pagar'
    assert kept["both"]["words"] == '(etiqueta:"(pendente)" OU uf:SP)'
    assert kept["both"]["filters"] == {"tags": ["Pago: já", "(pendente)"]}
    assert kept["other"]["words"] == "pagar"
    assert kept["alone"]["words"] == 'etiqueta:"Pago: já"'
    assert _keys(call, home, "--saved", "alone") == [first]
    gone = call("tag", "delete", "--home", home, "--json", "pago: já")
    assert gone.json["searches"] == ["words", "alone", "filters", "both"]
    assert "both" in call("tag", "delete", "--home", home, "(pendente)").err


def test_tags_beside_a_saved_search_are_both_asked_for(home: Path, call: Call) -> None:
    first, second, third, fourth, *_ = _keys(call, home, "--type", "nfe")
    for tag, *keys in (("a", first, second), ("b", third), ("c", first, fourth)):
        assert call("tag", "add", "--home", home, tag, *keys).code == 0
    assert call("saved", "add", "--home", home, "ab", "--tag", "a", "--tag", "b").code == 0
    assert _keys(call, home, "--saved", "ab") == [first, second, third]
    assert _keys(call, home, "--saved", "ab", "--tag", "b", "--tag", "c") == [first, third]
    assert _keys(call, home, "--saved", "ab", "--tag", "c") == [first]
    assert _keys(call, home, "--saved", "ab", "--tag", "b", "--tag", "a") == [first, second, third]
    assert call("list", "--home", home, "--json", "--saved", "ab", "--tag", "c", "NÃO marca:a").json["total"] == 0


def test_a_renamed_tag_is_found_within_groups_of_saved_searches(home: Path, call: Call) -> None:
    every = _keys(call, home, "--type", "nfe")
    first, second, *_ = every
    assert call("tag", "add", "--home", home, "pagar", first).code == 0
    assert call("tag", "add", "--home", home, "outra", second).code == 0
    searches = {
        "either": "marca:pagar OU número:999999998",
        "nested": "(tipo:nfe (marca:pagar OU (marca:outra tipo:nfe))) OU número:999999998",
        "without": "tipo:nfe -(marca:pagar,outra)",
    }
    for name, words in searches.items():
        assert call("saved", "add", "--home", home, name, words).code == 0
    before = {name: _keys(call, home, "--saved", name) for name in searches}
    assert before == {"either": [first], "nested": [first, second], "without": every[2:]}
    done = call("tag", "rename", "--home", home, "--json", "pagar", "(a) pagar OU não")
    assert done.json["searches"] == list(searches)
    assert {name: _keys(call, home, "--saved", name) for name in searches} == before


def test_paper_without_a_key_bears_tags_through_a_reading_of_everything(home: Path, call: Call) -> None:
    keyless = next(name for name in _keys(call, home) if len(name) < 44)
    keyed = next(name for name in _keys(call, home) if len(name) == 44)
    assert call("tag", "add", "--home", home, "Guardar", keyless, keyed).code == 0
    assert call("saved", "add", "--home", home, "Guardadas", "--tag", "guardar").code == 0
    before = sorted(_keys(call, home, "--saved", "guardadas"))
    assert before == sorted((keyless, keyed))
    assert call("reindex", "--home", home, "--all").code == 0
    assert sorted(_keys(call, home, "--saved", "guardadas")) == before
    assert call("doctor", "--home", home, "--json", "--verify").json["facts"]["audit_chain"]["broken"] == []


def test_a_saved_search_is_narrowed_and_never_widened(home: Path, call: Call) -> None:
    notes = _keys(call, home, "--type", "nfe", "--type", "cte")
    saved = call("saved", "add", "--home", home, "--json", "Notas e fretes", "--type", "nfe", "--type", "cte")
    assert saved.json["filters"] == {"types": ["nfe", "cte"]}
    assert _keys(call, home, "--saved", "NOTAS e fretes") == notes
    assert _keys(call, home, "--saved", "notas e fretes", "--type", "nfe") == _keys(call, home, "--type", "nfe")
    assert _keys(call, home, "--saved", "notas e fretes", "valor>1000") == _keys(
        call, home, "valor>1000", "--type", "nfe", "--type", "cte"
    )
    apart = call("list", "--home", home, "--saved", "notas e fretes", "--type", "mdfe")
    assert apart.code == 2
    assert "different things" in apart.err


def test_what_is_not_there_is_said_with_a_way_out(home: Path, call: Call) -> None:
    assert "confere saved add" in call("list", "--home", home, "--saved", "fretes").err
    assert call("saved", "add", "--home", home, "Fretes", "--type", "cte").code == 0
    assert "Did you mean Fretes?" in call("list", "--home", home, "--saved", "frete do mes").err
    assert "confere tag add" in call("list", "--home", home, "--tag", "x").err
    key = next(name for name in _keys(call, home) if len(name) == 44)
    assert call("tag", "add", "--home", home, "Urgente", key).code == 0
    assert "Did you mean Urgente?" in call("list", "--home", home, "tag:urgent").err
    assert "Did you mean Urgente?" in call("tag", "remove", "--home", home, "urgentes", key).err
    assert "no document" in call("tag", "remove", "--home", home, "urgente").err.lower()
    assert call("tag", "add", "--home", home, "Urgente", "0" * 44).code == 2
    assert "commas" in call("tag", "add", "--home", home, "a,b", key).err
    assert "empty" in call("tag", "add", "--home", home, "  ", key).err


def test_names_are_taken_once_and_given_back(home: Path, call: Call) -> None:
    assert call("saved", "add", "--home", home, "Um", "camiseta").code == 0
    assert call("saved", "add", "--home", home, "Dois", "caneca").code == 0
    assert "already" in call("saved", "add", "--home", home, "ÚM", "caneca").err
    assert call("saved", "add", "--home", home, "um", "meia", "--replace", "--json").json["words"] == "meia"
    assert "already" in call("saved", "rename", "--home", home, "um", "dois").err
    assert call("saved", "rename", "--home", home, "um", "Três", "--json").json["name"] == "Três"
    assert "needs no name" in call("saved", "add", "--home", home, "Tudo").err
    assert call("saved", "add", "--home", home, "Erro", "valor>x").code == 2
    assert call("saved", "remove", "--home", home, "dois", "--json").json["name"] == "Dois"
    listed = call("saved", "list", "--home", home, "--json").json["saved"]
    assert [(entry["name"], entry["words"]) for entry in listed] == [("Três", "meia")]
    key = next(name for name in _keys(call, home) if len(name) == 44)
    for name in ("A", "B"):
        assert call("tag", "add", "--home", home, name, key).code == 0
    assert "already" in call("tag", "rename", "--home", home, "a", "b").err
    assert call("tag", "rename", "--home", home, "a", "C", "--json").json == {
        "tag": "C", "documents": 1, "searches": [],
    }  # fmt: skip
    assert call("tag", "delete", "--home", home, "b", "--json").json["documents"] == 1
    assert call("show", "--home", home, "--json", key).json["tags"] == ["C"]


def test_filters_of_a_saved_search_are_told_in_the_words_of_the_search(home: Path, call: Call) -> None:
    line = ("--state", "cancelled", "--type", "nfe,cte", "--month", "2026-10", "--with-findings", "--gone", "shirt")
    assert call("saved", "add", "--home", home, "one", *line).code == 0
    told = call("saved", "list", "--home", home)
    words = "issued: 2026-10-01..2026-10-31 · type: nf-e, ct-e · state: cancelled · listed: no · finding: yes"
    assert words in told.out
    assert "situação: cancelada" in call("saved", "list", "--home", home, "--lang", "pt_BR").out


def test_one_document_is_told_in_the_singular(home: Path, call: Call, tmp_path: Path) -> None:
    first, second, *_ = _keys(call, home, "--type", "nfe")
    assert "1 document was given the tag pay;" in call("tag", "add", "--home", home, "pay", first).err
    assert "1 document was given the tag pay; 1 bore" in call("tag", "add", "--home", home, "pay", first, second).err
    assert "2 documents were" not in call("tag", "remove", "--home", home, "pay", second).err
    assert "1 document: 1 file written" in call("list", "--tag", "pay", "--save-xml", tmp_path, "--home", home).err
    assert "let go; 1 document bore it." in call("tag", "delete", "--home", home, "pay").err
