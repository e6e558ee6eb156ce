"""`confere list` finds what the table of searches says, as the window does, refuses in the same words, and says why."""

from __future__ import annotations

from pathlib import Path

import pytest

from confere.app.context import Workspace
from confere.app.documents.search import typed_days
from tests.app.documents.search.searched_world import KEY_A, fill, letter_of
from tests.app.documents.search.searches import SEARCHES, TODAY, Refused
from tests.cli.running import Call


@pytest.fixture(autouse=True)
def day_of_the_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(typed_days, "today", lambda: TODAY)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("searched") / "home"
    with Workspace.at(folder).writing("test") as archive:
        fill(archive)
    return folder


def test_the_table_of_searches(call: Call, home: Path) -> None:
    for text, expected in SEARCHES.items():
        done = call("list", "--json", "--home", home, "--", text)
        if isinstance(expected, Refused):
            assert done.code == 2, text
            assert expected.what in done.json["error"]["what"], text
        else:
            documents = done.json["documents"]
            letters = [letter_of(row["type"], row["series"], row["number"]) for row in documents]
            assert " ".join(letters) == expected, text


def test_an_indirect_hit_says_why_it_is_there(call: Call, home: Path) -> None:
    def reasons(text: str) -> dict[str, str | None]:
        documents = call("list", "--json", "--home", home, "--", text).json["documents"]
        return {letter_of(row["type"], row["series"], row["number"]): row["reason"] for row in documents}

    assert reasons("") == dict.fromkeys("EFADBHCG")
    assert reasons("6539") == {
        "E": "CT-e of note 1/6539", "A": None, "C": None, "G": "item A1 Parafuso 6539 inox",
    }  # fmt: skip
    assert reasons("camiseta patricia") == {"A": "item A1 Camiseta azul P"}
    assert reasons("20000123456") == {"A": "order 2000012345678", "B": "order 2000012345679"}
    assert reasons("MLB-77-1 OU caneca") == {"D": "order MLB-77-1", "C": "item A1 Caneca esmaltada"}
    assert reasons("135260000006539") == {"A": "protocol 135260000006539"}
    assert reasons("135260000009999") == {"D": "protocol 135260000009999 of an event"}
    assert reasons(KEY_A[-8:]) == {"A": "part of the access key"}
    assert reasons("6605") == {"H": "voided range with the number 6605"}
    assert reasons("2/6539 OU 11444777000161") == {"C": None}
    assert reasons(KEY_A) == {"A": None}


def test_the_list_for_people_has_the_reason_beside_the_row(call: Call, home: Path) -> None:
    plain, searched = (call("list", "--home", home, "--", text).out for text in ("patricia", "camiseta"))
    assert "item" not in plain
    assert "item A1 Camiseta azul P" in searched


def test_a_wrong_search_names_its_place(call: Call, home: Path) -> None:
    done = call("list", "--home", home, "--", "patricia valr:10")
    assert done.code == 2
    assert "character 10: valr:10" in " ".join(done.err.split())


def test_the_help_names_the_grammar(call: Call) -> None:
    text = " ".join(call("list", "--help").out.split())
    assert all(piece in text for piece in ("121,04", "100..200", "31/10/2026", "OR, NOT"))


def test_an_empty_month_says_which_months_have_some(call: Call, home: Path) -> None:
    empty = ("list", "--month", "2019-01", "--home", home)
    assert call(*empty, "--json", "--", "camiseta patricia").json["other_months"] == {
        "total": 1, "first": "2026-10", "last": "2026-10",
    }  # fmt: skip
    assert "There is 1 in October 2026." in call(*empty, "--", "camiseta patricia").err
    every = call("list", "--home", home, "--json").json
    others = call(*empty, "--json").json["other_months"]
    days = sorted(row["issued_at"][:7] for row in every["documents"] if row["issued_at"])
    assert (others["total"], others["first"], others["last"]) == (every["total"], days[0], days[-1])
    assert call(*empty, "--json", "--", "nowhere").json["other_months"] is None
    assert every["other_months"] is None
