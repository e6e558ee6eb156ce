"""Asks what to do where the chosen data folder is not there: no other archive is opened or made unasked."""

from __future__ import annotations

from enum import Enum
from pathlib import Path

from PySide6.QtWidgets import QDialog, QDialogButtonBox, QFileDialog, QPushButton, QVBoxLayout

from confere.app.context import Workspace
from confere.app.maintenance import home_folder
from confere.desktop.theme.measures import WIDE_GAP
from confere.desktop.widgets.form import text
from confere.errors import ConfereError, HomeGone
from confere.system.folders import chosen_folder
from confere.system.messages import render, t
from confere.system.paths import find_home


class HomeAnswer(Enum):
    """What a person wants done."""

    AGAIN = "again"
    OTHER = "other"
    USUAL = "usual"
    QUIT = "quit"


class HomeQuestion(QDialog):
    """`answer` is what was clicked; closing it is `QUIT`. `refusal` is why what was chosen before cannot be used."""

    def __init__(self, error: HomeGone, refusal: ConfereError | None = None) -> None:
        super().__init__()
        self.answer = HomeAnswer.QUIT
        self.setWindowTitle("Confere")
        self.setMinimumWidth(560)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(WIDE_GAP, WIDE_GAP, WIDE_GAP, WIDE_GAP)
        layout.setSpacing(14)
        layout.addWidget(text(render(error.what), selectable=True))
        usual = chosen_folder.usual_folder()
        layout.addWidget(
            text(
                t(
                    "Connect its disk and try again, or choose another folder. The system's place for data is {path}.",
                    path=str(usual),
                ),
                "muted",
            )
        )
        if refusal is not None:
            words = filter(None, (render(refusal.what), render(refusal.remedy) if refusal.remedy else ""))
            layout.addWidget(text(" ".join(words), "bad", selectable=True))
        box = QDialogButtonBox()
        self.buttons: dict[HomeAnswer, QPushButton] = {}
        for answer, title, role in (
            (HomeAnswer.AGAIN, t("Try again"), QDialogButtonBox.ButtonRole.AcceptRole),
            (HomeAnswer.OTHER, t("Other folder…"), QDialogButtonBox.ButtonRole.ActionRole),
            (HomeAnswer.USUAL, t("Use the usual folder"), QDialogButtonBox.ButtonRole.ActionRole),
            (HomeAnswer.QUIT, t("Quit"), QDialogButtonBox.ButtonRole.RejectRole),
        ):
            button = QPushButton(title)
            box.addButton(button, role)
            button.clicked.connect(lambda _=False, answer=answer: self._answered(answer))
            self.buttons[answer] = button
        self.buttons[HomeAnswer.AGAIN].setDefault(True)
        layout.addWidget(box)

    def _answered(self, answer: HomeAnswer) -> None:
        self.answer = answer
        self.done(QDialog.DialogCode.Accepted)


def usable_workspace(home: Path | None, first: HomeGone) -> Workspace | None:
    """Ask until a data folder can be used; None where the person quits."""
    error, refusal = first, None
    while True:
        question = HomeQuestion(error, refusal)
        question.exec()
        answer, refusal = question.answer, None
        question.deleteLater()
        try:
            if answer is HomeAnswer.QUIT:
                return None
            if answer is HomeAnswer.USUAL:
                home_folder.forget()
            elif answer is HomeAnswer.OTHER:
                name = QFileDialog.getExistingDirectory(None, t("Choose the data folder"))
                if not name:
                    continue
                gone = find_home(home)
                home_folder.choose(gone, home_folder.fitting(gone, Path(name)), copy=False)
            return Workspace.at(home)
        except HomeGone as again:
            error = again
        except ConfereError as other:
            refusal = other
