"""What this window is doing now: each job with how far it is and how long still, and those that wait for it."""

from __future__ import annotations

from PySide6.QtWidgets import QFrame, QHBoxLayout, QProgressBar, QPushButton, QVBoxLayout, QWidget

from confere.desktop.jobs.job import JobRequest
from confere.desktop.services import Services
from confere.desktop.theme.measures import GAP, WIDE_GAP
from confere.desktop.widgets.card import label
from confere.desktop.widgets.elided_labels import Elided
from confere.desktop.widgets.progress import progress_text, show_progress
from confere.errors import Message
from confere.system.messages import render, t
from confere.system.progress import Progress

_BAR = 260


class Working(QFrame):
    """Takes no room while nothing runs."""

    def __init__(self, services: Services, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("card", True)
        self.setAccessibleName(t("What runs now"))
        self._jobs = services.jobs
        self._lines: list[_Line] = []
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(WIDE_GAP, GAP, WIDE_GAP, GAP)
        self._layout.setSpacing(GAP)
        self._jobs.changed.connect(self._changed)
        self._jobs.progressed.connect(self._progressed)
        self._jobs.noted.connect(self._noted)
        self._changed()

    @property
    def texts(self) -> list[str]:
        """What each line says."""
        return [line.text for line in self._lines]

    def _changed(self) -> None:
        orders = (*self._jobs.running, *self._jobs.waiting)
        for line in [line for line in self._lines if not any(line.order is order for order in orders)]:
            self._lines.remove(line)
            self._layout.removeWidget(line)
            line.hide()
            line.deleteLater()
        known = [line.order for line in self._lines]
        for order in orders:
            if not any(order is entry for entry in known):
                line = _Line(order, self)
                line.stop.clicked.connect(lambda _=False, order=order: self._jobs.stop(order))
                self._lines.append(line)
                self._layout.addWidget(line)
        for line in self._lines:
            line.tell(
                waits=any(line.order is order for order in self._jobs.waiting),
                stops=self._jobs.is_stopping(line.order),
            )
        self.setVisible(bool(self._lines))

    def _progressed(self, order: JobRequest, progress: Progress) -> None:
        for line in self._lines:
            if line.order is order:
                line.progressed(progress)

    def _noted(self, order: JobRequest, note: Message) -> None:
        for line in self._lines:
            if line.order is order:
                line.say(render(note))


class _Line(QWidget):
    def __init__(self, order: JobRequest, parent: QWidget) -> None:
        super().__init__(parent)
        self.order = order
        title = label(order.title)
        font = title.font()
        font.setBold(True)
        title.setFont(font)
        self._words = Elided()
        self._words.setProperty("rank", "muted")
        self._bar = QProgressBar()
        show_progress(self._bar, None)
        self._bar.setTextVisible(False)
        self._bar.setMaximumWidth(_BAR)
        self._bar.setAccessibleName(t("Progress: {job}", job=order.title))
        self.stop = QPushButton(t("Stop"))
        self.stop.setAccessibleName(t("Stop: {job}", job=order.title))
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(WIDE_GAP)
        layout.addWidget(title)
        layout.addWidget(self._words, 3)
        layout.addWidget(self._bar, 1)
        layout.addWidget(self.stop)

    @property
    def text(self) -> str:
        return self._words.text()

    def say(self, text: str) -> None:
        self._words.setText(text)

    def tell(self, *, waits: bool, stops: bool) -> None:
        self._bar.setVisible(not waits)
        self.stop.setEnabled(not stops)
        if stops:
            self.say(t("Stopping at a safe place…"))
        elif waits:
            self.say(t("Waits until the one before it is done"))
        elif not self.text:
            self.say(t("Starting…"))

    def progressed(self, progress: Progress) -> None:
        show_progress(self._bar, progress)
        if self.stop.isEnabled():
            self.say(progress_text(progress))
