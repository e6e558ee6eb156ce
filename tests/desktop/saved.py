"""What tests of saving share: answers to the questions about a place, and how the job that was started ends."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from confere.desktop.dialogs.saving.selection_saver import PlaceDialogs
from confere.desktop.jobs.job import JobOutcome
from confere.desktop.services import Services
from tests.desktop.patient import LONG


@dataclass
class Asked:
    """Answers every question about a place with `answer`, and keeps what was proposed."""

    answer: Path | None
    proposed: list[str] = field(default_factory=list)

    @property
    def dialogs(self) -> PlaceDialogs:
        def file(_parent: QWidget, _title: str, proposed: Path, _kinds: str) -> Path | None:
            self.proposed.append(proposed.name)
            return self.answer

        def folder(_parent: QWidget, title: str, _proposed: Path) -> Path | None:
            self.proposed.append(title)
            return self.answer

        return PlaceDialogs(file, folder)


def ended(qtbot: QtBot, services: Services) -> JobOutcome:
    """How the job that was started ends."""
    outcomes: list[JobOutcome] = []
    services.jobs.ended.connect(outcomes.append)
    qtbot.waitUntil(lambda: bool(outcomes), timeout=LONG)
    return outcomes[0]
