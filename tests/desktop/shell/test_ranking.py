"""What a few letters mean in the command palette, and in which order."""

from __future__ import annotations

from pathlib import Path

import pytest

from confere.desktop.core.window_memory import Memory
from confere.desktop.shell.command_palette.ranking import PaletteEntry, Uses, ranked
from confere.system.paths import Home

pytestmark = pytest.mark.usefixtures("qapp")  # the memory has a timer

TITLES = (
    "Visão geral",
    "Sincronizar agora",
    "Exportar o mês",
    "Conciliação",
    "Configurações: Conciliação",
    "outubro de 2026 · 10/2026",
    "Verificar autenticidade",
)


def entry(title: str) -> PaletteEntry:
    return PaletteEntry(title, title, "Comando", lambda: None, "F5" if title.startswith("Sinc") else "")


ENTRIES = [entry(title) for title in TITLES]


def never(_name: str) -> int:
    return 0


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("visao", "Visão geral"),
        ("VISÃO", "Visão geral"),
        ("ger", "Visão geral"),
        ("mes", "Exportar o mês"),
        ("sagora", "Sincronizar agora"),
        ("f5", "Sincronizar agora"),
        ("concil", "Conciliação"),
        ("conf conc", "Configurações: Conciliação"),
        ("10/2026", "outubro de 2026 · 10/2026"),
        ("out 2026", "outubro de 2026 · 10/2026"),
        ("vaut", "Verificar autenticidade"),
    ],
)
def test_a_few_letters_are_enough(typed: str, first: str) -> None:
    assert ranked(ENTRIES, typed, never)[0].title == first


@pytest.mark.parametrize("typed", ["xyz", "visao xyz", "11/2026"])
def test_what_nothing_is_called_finds_nothing(typed: str) -> None:
    assert ranked(ENTRIES, typed, never) == []


def test_nothing_typed_shows_all_as_they_come() -> None:
    assert ranked(ENTRIES, "  ", never) == ENTRIES


def test_the_most_used_comes_first_among_what_fits_as_well() -> None:
    uses = {"Configurações: Conciliação": 3, "Verificar autenticidade": 9}
    found = [entry.title for entry in ranked(ENTRIES, "conc", lambda name: uses.get(name, 0))]
    assert found == ["Configurações: Conciliação", "Conciliação"]
    assert ranked(ENTRIES, "", lambda name: uses.get(name, 0))[0].title == "Verificar autenticidade"


def test_uses_are_remembered(tmp_path: Path) -> None:
    home = Home(tmp_path)
    memory = Memory(home)
    for name in ("SYNC", "EXPORT", "SYNC"):
        Uses(memory).add(name)
    memory.save()
    again = Uses(Memory(home))
    assert [again.count(name) for name in ("SYNC", "EXPORT", "ABOUT")] == [2, 1, 0]
    for number in range(150):
        again.add(f"month:{number}")
    assert [again.count(name) for name in ("SYNC", "month:149")] == [2, 1]
    assert Memory(home).problem is None


@pytest.mark.parametrize("kept", ["{", "[1]", '{"SYNC": "two"}'])
def test_what_is_no_longer_ours_is_passed_over(tmp_path: Path, kept: str) -> None:
    memory = Memory(Home(tmp_path))
    memory.put("palette/uses", kept)
    assert Uses(memory).count("SYNC") == 0
