"""About Confere: version, licence, what it runs on (to copy), the notice for Qt, and where the data is."""

from __future__ import annotations

import PySide6
from PySide6.QtCore import Qt, qVersion
from PySide6.QtGui import QGuiApplication, QShowEvent
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QGridLayout,
    QHBoxLayout,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from confere.desktop.core.file_manager import open_folder
from confere.desktop.services import Services
from confere.desktop.theme.measures import GAP
from confere.desktop.widgets.form import text
from confere.desktop.widgets.plain_text import Label
from confere.errors import NC_
from confere.system import diagnostics
from confere.system.messages import t

_LOGO = 56


class AboutDialog(QDialog):
    """Everything that somebody who helps would ask for is one button away."""

    def __init__(self, services: Services, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._services = services
        self.setWindowTitle(t("About Confere"))
        self.setMinimumWidth(560)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 24, 24, 16)
        layout.setSpacing(14)
        layout.addLayout(self._head())
        layout.addWidget(
            text(t("It keeps the fiscal documents that marketplace hubs hold for a seller, exactly as received."))
        )
        facts = QGridLayout()
        facts.setHorizontalSpacing(20)
        facts.setVerticalSpacing(6)
        facts.setColumnStretch(1, 1)
        for row, (title, value) in enumerate(self._facts()):
            name = Label(title)
            name.setProperty("rank", "muted")
            name.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
            facts.addWidget(name, row, 0)
            facts.addWidget(text(value, selectable=True), row, 1)
        layout.addLayout(facts)
        layout.addWidget(
            text(t("Confere is free software under the MIT licence: use it, change it and pass it on."), "muted")
        )
        layout.addWidget(
            text(
                t(
                    "The window is made with Qt and PySide6, under the GNU Lesser General Public License, version 3. "
                    "They are separate libraries beside Confere, which you may replace by versions of your own; their "
                    "source is at code.qt.io."
                ),
                "muted",
            )
        )
        layout.addStretch(1)
        layout.addWidget(self._buttons())

    def showEvent(self, event: QShowEvent) -> None:
        """Be high enough for every line, where the screen is: Qt itself takes two thirds of it at most."""
        super().showEvent(event)
        highest = int(self.screen().availableGeometry().height() * 0.95)
        self.resize(self.width(), max(self.height(), min(self.heightForWidth(self.width()), highest)))

    @property
    def details(self) -> str:
        """What is copied: versions and system, no user and no path."""
        facts = {**diagnostics.describe(), "pyside6": PySide6.__version__, "qt": qVersion()}
        facts["screen"] = _screen()
        return "\n".join(f"{name} {value}" for name, value in facts.items())

    def _head(self) -> QHBoxLayout:
        head = QHBoxLayout()
        head.setSpacing(16)
        logo = Label()
        logo.setPixmap(self._services.look.picture("confere", "accent", _LOGO, self.devicePixelRatioF()))
        head.addWidget(logo)
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(text("Confere", "title"))
        words.addWidget(text(t("Version {version}", version=diagnostics.version()), "muted", selectable=True))
        head.addLayout(words, 1)
        return head

    def _facts(self) -> list[tuple[str, str]]:
        facts = diagnostics.describe()
        return [
            (t("Data folder"), str(self._services.workspace.home.root)),
            (t("System"), facts["system"]),
            ("Python", facts["python"]),
            ("Qt", f"{qVersion()} (PySide6 {PySide6.__version__})"),
        ]

    def _buttons(self) -> QWidget:
        row = QWidget()
        layout = QHBoxLayout(row)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GAP)
        self.copy_versions = QPushButton(self._services.look.icon("copy"), t("Copy the versions"))
        self.copy_versions.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.details))
        self.open_data = QPushButton(self._services.look.icon("open"), t("Open the data folder"))
        self.open_data.clicked.connect(self._open_folder)
        close = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        close.button(QDialogButtonBox.StandardButton.Close).setText(t(NC_("window", "Close")))
        close.rejected.connect(self.reject)
        for button in (self.copy_versions, self.open_data):
            button.setAutoDefault(False)
            layout.addWidget(button)
        layout.addStretch(1)
        layout.addWidget(close)
        return row

    def _open_folder(self) -> None:
        open_folder(self._services.workspace.home.root)


def _screen() -> str:
    screen = QGuiApplication.primaryScreen()
    size = screen.size()
    return f"{size.width()}x{size.height()} at {screen.devicePixelRatio():g}"
