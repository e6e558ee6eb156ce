"""A dialog that chooses another data folder: what would happen is said before, and what cannot be used is refused."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QDialog, QFileDialog, QLineEdit, QPushButton, QVBoxLayout, QWidget

from confere.app.maintenance import home_folder
from confere.app.maintenance.home_folder import FolderLook, HomeFacts
from confere.desktop.jobs.job_requests import home_order
from confere.desktop.services import Services
from confere.desktop.theme.measures import WIDE_GAP
from confere.desktop.widgets.dialog_buttons import buttons_of
from confere.desktop.widgets.form import FieldWithButton, FormField, set_rank, text
from confere.desktop.widgets.plain_text import as_tip
from confere.errors import ConfereError
from confere.system.messages import render, t
from confere.system.paths import Home

_LINES = 4  # of what is said of a folder: the dialog does not jump when it is known


class HomeDialog(QDialog):
    """The choice is written by a job, since a copy takes its time; `forgotten`: the usual folder is used again."""

    forgotten = Signal()

    def __init__(self, services: Services, facts: HomeFacts | None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._services = services
        self._topic = f"home dialog.{id(self)}"
        self._looked_at: FolderLook | None = None
        self.setWindowTitle(t("Other data folder"))
        self.setMinimumWidth(640)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(WIDE_GAP, WIDE_GAP, WIDE_GAP, WIDE_GAP)
        layout.setSpacing(14)
        layout.addWidget(
            text(
                t(
                    "The archive is not moved: what is here stays as it is. Confere opens with the other folder from "
                    "the next start on."
                ),
                "muted",
            )
        )
        self.folder = QLineEdit()
        self.folder.setClearButtonEnabled(True)
        self.browse = QPushButton(t("Choose…"))
        self.browse.setAccessibleName(t("Choose the data folder"))
        self.browse.setAutoDefault(False)
        self.browse.clicked.connect(self._browse)
        layout.addWidget(FormField(t("Data folder"), FieldWithButton(self.folder, self.browse)))
        self.copy = QCheckBox(t("Put a checked copy of the archive there"))
        layout.addWidget(self.copy)
        self.judged = text("", selectable=True)
        self.judged.setAccessibleName(t("What the folder is"))
        self.judged.setMinimumHeight(_LINES * self.fontMetrics().lineSpacing())
        self.judged.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        layout.addWidget(self.judged)
        layout.addStretch(1)
        self.use = QPushButton(t("Use this folder"))
        self.buttons = buttons_of(self, self.use)
        self.usual = QPushButton(t("The usual folder again"))
        self.usual.setAutoDefault(False)
        self.usual.setToolTip(as_tip("" if facts is None else str(facts.usual)))
        self.usual.clicked.connect(self.forget)
        self.buttons.addButton(self.usual, self.buttons.ButtonRole.ResetRole)
        self.usual.setVisible(facts is not None and facts.chosen is not None)  # the box shows what it is given
        layout.addWidget(self.buttons)
        self.folder.textChanged.connect(self._look)
        self._look()

    def accept(self) -> None:
        """Have it written; the job says how that ended."""
        if self._looked_at is None:
            return
        copies = self.copy.isEnabled() and self.copy.isChecked()
        self._services.jobs.start(home_order(self._looked_at.path, copy=copies))
        super().accept()

    def forget(self) -> None:
        """Use the usual folder from the next start on."""
        try:
            home_folder.forget()
        except ConfereError as error:
            self._services.faults.tell(error)
            return
        self.forgotten.emit()
        self.reject()

    def done(self, result: int) -> None:
        """Wait for nothing."""
        self._services.reader.forget(self._topic)
        super().done(result)

    def _browse(self) -> None:
        name = QFileDialog.getExistingDirectory(
            self, t("Choose the data folder"), self.folder.text() or str(self._services.workspace.home.root.parent)
        )
        if name:
            self.folder.setText(str(home_folder.fitting(self._services.workspace.home, Path(name))))

    def _look(self) -> None:
        """A drive may be slow to answer, so the window does not wait for it."""
        self._looked_at = None
        self._enable()
        named = self.folder.text().strip()
        _say(self, "", "")
        if not named:
            self._services.reader.forget(self._topic)
            return
        work = partial(_looked, self._services.workspace.home, Path(named))
        self._services.reader.ask(self._topic, work, self._show)

    def _show(self, found: FolderLook | ConfereError) -> None:
        if isinstance(found, ConfereError):
            _say(
                self, " ".join(filter(None, (render(found.what), render(found.remedy) if found.remedy else ""))), "bad"
            )
        else:
            self._looked_at = found
            here = self._services.workspace.home.root
            if found.path == here:
                words = t("This is the data folder of now.")
            elif found.has_archive:
                words = t("There is an archive in it, which will be opened.")
            else:
                words = t("There is no archive in it yet.")
            _say(self, " ".join([words, *map(render, found.warnings)]), "warn" if found.warnings else "muted")
        self._enable()

    def _enable(self) -> None:
        found = self._looked_at
        self.use.setEnabled(found is not None)
        can_copy = found is not None and not found.has_archive and self._services.opened.exists
        self.copy.setEnabled(can_copy)


def _looked(home: Home, folder: Path) -> FolderLook | ConfereError:
    try:
        return home_folder.look(home, folder)
    except ConfereError as error:
        return error


def _say(dialog: HomeDialog, words: str, rank: str) -> None:
    dialog.judged.setText(words)
    set_rank(dialog.judged, rank)
