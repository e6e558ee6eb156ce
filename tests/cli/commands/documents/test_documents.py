"""import, list, show: on an archive of real XML, checked against the files themselves."""

from __future__ import annotations

import hashlib
import json
import re
import xml.etree.ElementTree as ElementTree
import zipfile
from decimal import Decimal
from pathlib import Path

import pytest

from confere.app.documents.browse import SORTS
from confere.cli.main import run
from tests.cli.running import Call

NFE = "{http://www.portalfiscal.inf.br/nfe}"
LISTED = {
    "altered",
    *("row", "access_key", "type", "model", "series", "number", "issued_at", "emitter", "recipient", "total", "state"),
    *("operation", "nature", "direction", "purpose", "environment", "cfops", "cstat", "protocol", "authorized_at"),
    *("layout", "external_id", "order_hint", "account", "subtype", "marketplace", "order_id", "sha256", "warnings"),
    "gone_since",
    *("state_ground", "verdict", "findings", "credit_type", "debit_type", "intermediary", "presence", "tags"),
}
IN_FULL = {*LISTED, "parties", "items", "events", "answers", "relations", "voiding", "hub", "sources", "versions"}
IN_FULL |= {"detail", "standing", "disagreements", "verdicts", "problems"}

LISTED |= {"reason"}  # of a search, which a document in full has not


TWICE = "41170706117473000150550010000463202612756525"  # two of the samples have this key


def notes(papers: Path) -> dict[str, dict[str, ElementTree.Element]]:
    """Every NF-e among the samples by key and SHA-256, read by another parser."""
    found: dict[str, dict[str, ElementTree.Element]] = {}
    for path in sorted((papers / "nfe" / "samples").rglob("*.xml")):
        info = ElementTree.parse(path).getroot().find(f".//{NFE}infNFe")
        if info is not None:
            digest = hashlib.sha256(path.read_bytes()).hexdigest()
            found.setdefault(info.attrib["Id"].removeprefix("NFe"), {})[digest] = info
    return found


def one(papers: Path) -> str:
    """The key of one that came once."""
    return next(key for key, versions in notes(papers).items() if len(versions) == 1)


def words_of(info: ElementTree.Element, path: str) -> str | None:
    return info.findtext("/".join(NFE + part for part in path.split("/")))


def test_a_list_says_what_the_files_say(call: Call, archived: Path, papers: Path) -> None:
    done = call("list", "--all", "--type", "nfe,nfce", "--home", archived, "--json")
    assert (done.code, done.err) == (0, "")
    files = notes(papers)
    listed = {entry["access_key"]: entry for entry in done.json["documents"]}
    assert listed.keys() == files.keys()
    assert done.json["total"] == len(files)
    for key, versions in files.items():
        entry = listed[key]
        info = versions[entry["sha256"]]
        assert entry.keys() == LISTED
        assert entry["number"] == int(words_of(info, "ide/nNF") or "-1")
        assert entry["series"] == int(words_of(info, "ide/serie") or "-1")
        assert entry["model"] == words_of(info, "ide/mod")
        assert entry["issued_at"] == words_of(info, "ide/dhEmi")
        assert entry["emitter"]["name"] == words_of(info, "emit/xNome")
        assert re.fullmatch(r"-?\d+\.\d\d", entry["total"])
        assert Decimal(entry["total"]) == Decimal(words_of(info, "total/ICMSTot/vNF") or "-1")
        assert entry["direction"] == {"0": "in", "1": "out"}[words_of(info, "ide/tpNF") or ""]
    worth = sum(Decimal(entry["total"]) for entry in listed.values())
    assert Decimal(done.json["worth"]) == worth


def test_every_fourth_document_is_shown_in_full(call: Call, archived: Path, papers: Path) -> None:
    files = notes(papers)
    for entry in call("list", "--all", "--home", archived, "--json").json["documents"][::4]:
        name = entry["access_key"] or str(entry["row"])
        shown = call("show", name, "--home", archived, "--json")
        assert shown.code == 0
        assert shown.json.keys() == IN_FULL
        assert {field: shown.json[field] for field in LISTED - {"reason"}} | {"reason": None} == entry
        if name in files:
            codes = [words_of(item, "prod/cProd") for item in files[name][entry["sha256"]].findall(f"{NFE}det")]
            assert [item["code"] for item in shown.json["items"]] == codes
        assert call("show", entry["sha256"], "--home", archived, "--json").json["sha256"] == entry["sha256"]
        people = call("show", name, "--home", archived)
        assert people.code == 0
        assert entry["sha256"] in people.out


def test_the_xml_comes_back_byte_for_byte(
    archived: Path, papers: Path, tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    for key, versions in notes(papers).items():
        for digest in versions:
            name = key if len(versions) == 1 else digest
            assert run(["show", name, "--xml", "--home", str(archived)]) == 0
            assert hashlib.sha256(capsysbinary.readouterr().out).hexdigest() == digest
    target = tmp_path / "one.xml"
    assert run(["show", digest, "--xml", "--output", str(target), "--home", str(archived), "--json"]) == 0
    told = json.loads(capsysbinary.readouterr().out)
    assert told == {"path": str(target), "size": target.stat().st_size, "sha256": digest}
    assert hashlib.sha256(target.read_bytes()).hexdigest() == digest


def test_two_contents_of_one_key_are_told_apart(call: Call, archived: Path, papers: Path) -> None:
    digests = notes(papers)[TWICE].keys()
    assert len(digests) == 2
    shown = call("show", TWICE, "--home", archived, "--json").json
    assert {entry["sha256"] for entry in shown["versions"]} == digests
    assert [entry["current"] for entry in shown["versions"]] == [True, False]
    assert shown["sha256"] == shown["versions"][0]["sha256"]
    asked = call("show", TWICE, "--xml", "--home", archived)
    assert asked.code == 2
    for digest in digests:
        assert digest in asked.err
        assert digest in call("show", TWICE, "--home", archived).out


def test_a_file_is_never_overwritten(call: Call, archived: Path, papers: Path, tmp_path: Path) -> None:
    key = one(papers)
    target = tmp_path / "mine.xml"
    target.write_text("mine")
    done = call("show", key, "--xml", "--output", target, "--home", archived)
    assert done.code == 2
    assert "nothing was written" in done.err
    assert target.read_text() == "mine"
    nowhere = call("show", key, "--xml", "--output", tmp_path / "no" / "a.xml", "--home", archived)
    assert nowhere.code == 3


def test_a_key_is_found_as_it_stands_on_paper(call: Call, archived: Path, papers: Path) -> None:
    key = one(papers)
    grouped = " ".join(key[start : start + 4] for start in range(0, 44, 4))
    assert call("show", grouped, "--home", archived, "--json").json["access_key"] == key
    assert call("list", key, "--home", archived, "--json").json["total"] == 1


@pytest.mark.parametrize("name", ["41170706117473000150550010000463202612756520", "0" * 64, "999999", "x"])
def test_what_is_not_here_is_wrong_use(call: Call, archived: Path, name: str) -> None:
    for line in (("show", name), ("show", name, "--xml")):
        done = call(*line, "--home", archived)
        assert done.code == 2
        assert name in done.err
        assert done.out == ""


def test_json_and_xml_do_not_share_stdout(call: Call, archived: Path, papers: Path) -> None:
    key = one(papers)
    assert "--output" in call("show", key, "--xml", "--json", "--home", archived).json["error"]["remedy"]
    assert call("show", key, "--output", "x", "--home", archived).code == 2


def test_filters_narrow(call: Call, archived: Path) -> None:
    def keys(*filters: str) -> list[str]:
        return [
            entry["access_key"]
            for entry in call("list", "--all", *filters, "--home", archived, "--json").json["documents"]
        ]

    company = "34.128.745/0001-52"
    of_company = keys("--company", company)
    assert of_company
    assert all(key[6:20] == "34128745000152" for key in of_company)
    assert keys("--company", "34128745000152", "--month", "08/2018") == of_company
    assert keys("--company", company, "--from", "17/08/2018", "--to", "2018-08-17") == [
        key for key in of_company if key in keys("--from", "2018-08-17", "--to", "2018-08-17")
    ]
    assert keys("--company", company, "--direction", "in") == []
    assert keys("--number", "47686") == ["35180834128745000152550010000476861118934859"]
    assert set(keys("--series", "3", "--type", "nfe")) <= set(keys("--series", "3"))
    assert keys("--cfop", "9999") == []
    assert keys("--state", "cancelled") == []
    assert keys("--order", "1") == keys("--marketplace", "M") == keys("--subtype", "sale") == []
    unknown = call("list", "--account", "a", "--home", archived, "--json")
    assert (unknown.code, "a" in unknown.json["error"]["what"]) == (2, True)
    assert "35180834128745000152550010000476121675985748" in keys("roberto")
    assert keys("unimake", "ltda") == ["41170706117473000150550010000463202612756525"]


def test_words_may_be_fields(call: Call, archived: Path) -> None:
    def keys(*line: str) -> list[str]:
        done = call("list", "--all", *line, "--home", archived, "--json")
        assert (done.code, done.err) == (0, "")
        return [entry["access_key"] for entry in done.json["documents"]]

    every = keys()
    assert keys("número:47686") == keys("--number", "47686") != []
    assert keys("tipo:ct-e") == keys("--type", "cte") != []
    assert keys("emissao:08/2018", "akretion") == keys("akretion", "--month", "2018-08")
    assert sorted(keys("valor>1000") + keys("valor<=1000"), key=str) == sorted(
        (entry for entry in every if entry in keys("valor>=0")), key=str
    )
    assert keys("uf:SP serie:3") == keys("uf:SP", "--series", "3")
    wrong = call("list", "valr:10", "--home", archived)
    assert wrong.code == 2
    assert "did you mean valor?" in wrong.err
    assert keys('"valr:10"') == []


def test_order_and_limit(call: Call, archived: Path) -> None:
    def totals(*options: str) -> list[Decimal]:
        shape = call("list", *options, "--type", "nfe", "--home", archived, "--json").json
        return [Decimal(entry["total"]) for entry in shape["documents"]]

    every = totals("--sort", "total", "--all")
    assert every == sorted(every, reverse=True)
    assert totals("--sort", "total", "--ascending", "--limit", "3") == sorted(every)[:3]
    assert totals("--sort", "valor", "--ascending", "--limit", "3") == sorted(every)[:3]
    assert totals("--limit", "0") == []
    for by in SORTS:
        assert len(totals("--sort", by, "--all")) == len(every)
    assert call("list", "--sort", "weight", "--home", archived).code == 2


def test_every_sort_and_value_stands_in_the_help(call: Call) -> None:
    text = " ".join(re.sub("[│\n]", " ", call("list", "--help").out).split())
    for word in (*SORTS, "authorized", "no-protocol", "nf-e", "nfc-e", "ct-e-os", "voiding"):
        assert re.search(rf"\b{word}\b", text), word


def test_an_import_counts_every_file_once(call: Call, tmp_path: Path, papers: Path) -> None:
    good = (papers / "nfe/samples/v4_0/procNFe.xml").read_bytes()
    box = tmp_path / "box"
    box.mkdir()
    (box / "good.xml").write_bytes(good)
    (box / "again.xml").write_bytes(good)
    (box / "broken.xml").write_text("<NFe><infNFe>")
    (box / "readme.txt").write_text("no XML")
    with zipfile.ZipFile(box / "more.zip", "w") as archive:
        archive.writestr("in/good.xml", good)
    home = tmp_path / "home"
    done = call("import", box, "--home", home, "--json")
    assert done.code == 1
    shape = done.json
    assert shape["files"] == shape["recorded"] + shape["duplicates"] + shape["unreadable"] == 4
    assert (shape["recorded"], shape["duplicates"], shape["unreadable"], shape["ignored"]) == (1, 2, 1, 1)
    assert [Path(entry["source"]).name for entry in shape["problems"]] == ["broken.xml"]
    assert shape["documents"] == 1
    assert not shape["stopped"]
    unreadable = call("list", "--unreadable", "--home", home, "--json").json
    assert unreadable["total"] == 1
    assert Path(unreadable["unreadable"][0]["sources"][0]).name == "broken.xml"
    digest = unreadable["unreadable"][0]["sha256"]
    assert call("show", digest, "--xml", "--home", home).out == "<NFe><infNFe>"
    assert "--unreadable" in call("show", digest, "--home", home).err
    people = call("import", box, "--home", tmp_path / "other")
    assert people.code == 1
    assert "broken.xml" in people.err
    assert re.search(r"Already here\s+2\b", people.out)
    assert "broken.xml" in call("list", "--unreadable", "--home", home).out
    assert call("list", "--unreadable", "--type", "nfe", "--home", home).code == 2


def test_paths_that_are_not_there_cannot_be_imported(call: Call, tmp_path: Path) -> None:
    done = call("import", tmp_path / "nothing.xml", "--home", tmp_path / "home", "--json")
    assert done.code == 3
    assert "nothing.xml" in done.json["error"]["what"]
    assert call("import", "--home", tmp_path / "home").code == 2


def test_without_an_archive_reading_says_how_to_get_one(call: Call, tmp_path: Path) -> None:
    for line in (("list",), ("list", "--unreadable"), ("show", "1")):
        done = call(*line, "--home", tmp_path / "none")
        assert done.code == 3
        assert "confere demo" in done.err
    assert not (tmp_path / "none").exists()
