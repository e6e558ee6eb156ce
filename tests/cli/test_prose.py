"""Sentences are broken at a terminal's width, and what people copy out of them is not."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.text import Text

from confere.cli import output, prose, tables
from confere.cli.output import Output
from tests.cli.running import Call

KEY = "3526 1023 6568 0600 0138 5500 1000 0010 6013 0193 3371"
COPIED = [
    "`confere links link --order 1000073 --key 35261023656806000138550010000010601301933371`",
    KEY,
    "35261023656806000138550010000010601301933371",
    "confere findings list --help",
    r"C:\Users\João da Silva\Meus Documentos\outubro 2026\relatório.xlsx",
    "/home/joão da silva/meus documentos/relatório.xlsx",
]


@pytest.mark.parametrize("copied", COPIED)
@pytest.mark.parametrize("width", [20, 40, 80])
def test_what_is_copied_stays_in_one_line(copied: str, width: int) -> None:
    text = f"Antes disso há palavras, depois vem {copied} e mais palavras até o fim da frase."
    lines = prose.wrapped(text, width).split("\n")
    assert len(lines) > 1
    assert [line for line in lines if copied in line]
    assert all(cell_len(line) <= width or copied in line for line in lines)


@given(st.text(alphabet=st.characters(codec="utf-8", exclude_categories=["C"])), st.integers(20, 100))
def test_only_spaces_are_replaced_by_line_ends(text: str, width: int) -> None:
    assert prose.wrapped(text, width).split() == text.split()


def test_further_lines_are_indented_as_the_first() -> None:
    assert prose.wrapped("  um dois três quatro cinco", 20) == "  um dois três\n  quatro cinco"


@pytest.mark.parametrize(
    "line", ["confere show 1/4711 --home '/um lugar' --items todos", "/um lugar/com espaços no fim.xlsx"]
)
def test_a_line_that_is_a_command_or_a_path_is_left_alone(line: str) -> None:
    assert prose.wrapped(line, 20) == line
    assert prose.wrapped(f"  {line}", 20) == f"  {line}"


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(output, "is_terminal", lambda stream: True)
    monkeypatch.setenv("COLUMNS", "50")


LONG = "The first sentence of several is longer than a narrow terminal, see `confere list --all`."


def test_a_terminal_gets_lines_that_fit(terminal: None, capsys: pytest.CaptureFixture[str]) -> None:
    out = Output()
    out.print(LONG, Text(LONG, style="bold"))
    out.sentences(LONG)
    out.aside(LONG)
    out.ends_with_1(LONG)
    said = capsys.readouterr()
    for stream, sentences in ((said.out, 3), (said.err, 2)):
        assert max(map(len, stream.splitlines())) <= 50
        assert stream.count("`confere list --all`") == sentences
    assert said.out.count("\n") == 2 * 3


def test_a_pipe_gets_whole_lines(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("COLUMNS", "50")
    out = Output()
    out.print(LONG)
    out.sentences(LONG)
    out.aside(LONG)
    said = capsys.readouterr()
    assert said.out.splitlines() == [LONG, LONG]
    assert said.err.splitlines() == [LONG]


def test_an_error_fits_the_terminal_too(terminal: None, call: Call, tmp_path: Path) -> None:
    home = tmp_path / "home"
    done = call("show", "x" * 44, "--home", home)
    assert done.code == 3
    assert all(len(line) <= 50 or str(home) in line for line in done.err.splitlines())
    assert len(done.err.splitlines()) > 3


def test_a_stream_without_a_terminal_has_the_usual_width(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    assert prose.width_of(io.StringIO()) == 80
    monkeypatch.setenv("COLUMNS", "132")
    assert prose.width_of(io.StringIO()) == 132


def test_long_labels_leave_values_their_words(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(output, "is_terminal", lambda stream: True)
    monkeypatch.setenv("COLUMNS", "60")
    label = "  Município de ocorrência do fato gerador conforme o IBGE"
    Output().print(tables.facts([(label, "estabelecimento intermediador"), ("Modelo", "55")]))
    lines = [line.rstrip() for line in capsys.readouterr().out.splitlines()]
    assert max(map(len, lines)) <= 60
    assert "intermediador" in " ".join(lines)
    assert all(line.startswith("  ") for line in lines[:2]), "what is indented stays so"
