"""What the palette offers in a window: its commands, the sections of the settings, companies and months."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from confere.app.labels.labels import month_word
from confere.desktop.core.actions import PLACES, SECTIONS, Action, key_text
from confere.desktop.shell.command_palette.ranking import PaletteEntry
from confere.desktop.shell.window import MainWindow
from confere.errors import Message
from confere.system import formatting
from confere.system.messages import render, t


def entries_of(window: MainWindow) -> list[PaletteEntry]:
    """Everything that can be done in this window, as it stands now."""
    return [*_commands(window), *_sections(window), *_companies(window), *_months(window)]


def _commands(window: MainWindow) -> Iterator[PaletteEntry]:
    for act, action in window.actions_by_act.items():
        if act is Action.PALETTE:
            continue
        why_not = ""
        if not action.isEnabled():
            why_not = render(Message(act.value.why_not)) if act.value.why_not else t("This cannot be done now.")
        kind = t("Page") if act in PLACES else t("Command")
        title = render(Message(act.value.title)).rstrip("…")
        yield PaletteEntry(act.name, title, kind, action.trigger, key_text(action.shortcut()), why_not)


def _sections(window: MainWindow) -> Iterator[PaletteEntry]:
    for name, face in SECTIONS.items():
        title = t("Settings: {section}", section=render(Message(face.title)))
        yield PaletteEntry(f"section:{name}", title, t("Settings"), partial(_show_section, window, name))


def _show_section(window: MainWindow, name: str) -> None:
    window.go_to(Action.SETTINGS)
    window.settings.show_section(name)


def _companies(window: MainWindow) -> Iterator[PaletteEntry]:
    scope = window.services.scope
    kind = t("Company")
    yield PaletteEntry("company:", t("All companies"), kind, partial(scope.choose_company, None))
    for tax_id, title in window.top.scope.company_titles:
        yield PaletteEntry(f"company:{tax_id}", title, kind, partial(scope.choose_company, tax_id))


def _months(window: MainWindow) -> Iterator[PaletteEntry]:
    scope = window.services.scope
    kind = t("Month")
    yield PaletteEntry("month:", t("Every month"), kind, lambda: scope.choose(scope.company, None))
    yield PaletteEntry("month:period", t("Other period…").rstrip("…"), kind, window.top.scope.ask_period)
    for month in window.top.scope.months:
        # As it is named, and as it is written with figures: "out", "10/2026".
        title = f"{month_word(month)} · {formatting.month(month)}"
        yield PaletteEntry(f"month:{month}", title, kind, partial(_choose_month, window, month))


def _choose_month(window: MainWindow, month: str) -> None:
    window.services.scope.choose(window.services.scope.company, month)
