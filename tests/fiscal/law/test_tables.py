"""The tables of the law: every row has its texts in all languages, and no file is read before it is asked for."""

from __future__ import annotations

import csv
import re
import subprocess
import sys
import tomllib
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from confere.errors import Bug
from confere.fiscal import document_models
from confere.fiscal.law import model_names, states, tables
from confere.fiscal.law.model_names import model_name
from confere.fiscal.law.tables import law_tables
from confere.fiscal.model import DocumentType
from confere.system import messages
from confere.system.language_choice import LANGUAGES
from confere.system.messages import render
from confere.system.plain_text import folded
from confere.system.resources import resource

FILES = sorted(path.stem for path in resource("fiscal").glob("*.toml"))
VALIDITY = {"valid_from", "valid_to"}
OWN = {"cancellation": ("minutes",), "states": ("ibge",), "retention": ("months", "counted_from")}


def rows(name: str) -> dict[tuple[str, str], dict[str, Any]]:
    """By table and code the row as it stands in the file. A code written twice is no TOML."""
    file = tomllib.loads(resource("fiscal", f"{name}.toml").read_text(encoding="utf-8"))
    assert all(table.keys() - {"source"} == {"codes"} for table in file.values())
    assert all(table.get("source", "?").strip() for table in file.values())
    return {(title, code): row for title, table in file.items() for code, row in table["codes"].items()}


@pytest.mark.parametrize("name", FILES)
def test_every_row_has_a_text_in_every_language(name: str) -> None:
    texts = {(key, language): row.get(language, "") for key, row in rows(name).items() for language in LANGUAGES}
    assert len(texts) > len(LANGUAGES)
    assert [place for place, text in texts.items() if not text.strip() or text != text.strip()] == []
    assert [place for place, text in texts.items() if text.endswith(".") or "{" in text] == []


@pytest.mark.parametrize("name", FILES)
def test_a_row_says_nothing_else_but_its_source_and_its_validity(name: str) -> None:
    known = {*LANGUAGES, "source", *VALIDITY, *OWN.get(name, ())}
    assert [key for key, row in rows(name).items() if row.keys() - known] == []
    days = [row[key] for row in rows(name).values() for key in VALIDITY & row.keys()]
    assert [day for day in days if type(day) is not date] == []


@pytest.mark.parametrize("name", FILES)
def test_what_is_read_renders_as_the_row_in_every_language(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for language in LANGUAGES:
        monkeypatch.setattr(messages._Choice, "code", language)
        for (title, code), row in rows(name).items():
            assert render(law_tables(name)[title][code]) == row[language]
            assert str(law_tables(name)[title][code]) == row["en"]


def test_every_type_of_document_has_a_name_that_is_the_same_in_every_language() -> None:
    unnamed = {kind for kind in DocumentType if document_models.type_name(kind) is None}
    assert unnamed == {DocumentType.VOIDING, DocumentType.OTHER}


def test_each_model_has_one_row_with_a_name() -> None:
    with resource("fiscal", "models.csv").open(encoding="utf-8", newline="") as file:
        listed = list(csv.DictReader(file))
    assert {(key, text) for row in listed for key, text in row.items() if key is None or text != text.strip()} == set()
    assert sorted({row["model"] for row in listed}) == sorted(row["model"] for row in listed)
    assert [row["name"] for row in listed] == [model_name(row["model"]) for row in listed]
    assert {kind.model for kind in document_models.KINDS} <= {row["model"] for row in listed}


@pytest.mark.parametrize("text", ["", "model,name\n55", "number,name\n55,NF-e\n", "model,name\n55,\n"])
def test_damaged_names_of_models_are_named(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "models.csv").write_text(text)
    monkeypatch.setattr(model_names, "resource", lambda *parts: tmp_path / parts[-1])
    with pytest.raises(Bug, match=r"models\.csv cannot be read"):
        model_names._names.__wrapped__()


def test_states_are_known_by_letters_code_and_name() -> None:
    assert len(states.letters()) == 27
    for uf in states.letters():
        code = states.ibge_code(uf)
        assert code is not None
        assert re.fullmatch(r"[A-Z]{2} [1-5][0-9]", f"{uf} {code}")
        assert states.uf_of_ibge_code(code) == uf
        name = law_tables("states")["states"][uf].id
        assert states.uf_of_name(f" {name.upper()} ") == states.uf_of_name(folded(name)) == uf
    assert states.ibge_code("EX") is states.uf_of_ibge_code("99") is states.uf_of_name("Brasil") is None
    assert states.uf_of_ibge_code(None) is None


@pytest.mark.parametrize("text", ["[ICMS", '[ICMS]\n"00" = 1', '[ICMS.codes]\n"00" = { pt_BR = "Isenta" }', "ICMS = 1"])
def test_a_damaged_file_is_named(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "damaged.toml"
    file.write_text(text)
    monkeypatch.setattr(tables, "resource", lambda *parts: tmp_path / parts[-1])
    with pytest.raises(Bug, match=r"damaged\.toml cannot be read"):
        law_tables("damaged")


def test_importing_reads_no_file() -> None:
    code = (
        "import sys; opened = []\n"
        "sys.addaudithook(lambda event, args: opened.append(str(args[0])) if event == 'open' else None)\n"
        "from confere.app.labels import event_names, labels\n"
        "from confere.app.documents.search import search_language\n"
        "from confere.fiscal import access_keys, document_models; from confere.fiscal.law import codes\n"
        "print([path for path in opened if path.endswith(('.toml', 'models.csv'))])\n"
        "codes.situation('ICMS', '00')\n"
        "print(len([path for path in opened if path.endswith(('.toml', 'models.csv'))]))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["[]", "1"]
