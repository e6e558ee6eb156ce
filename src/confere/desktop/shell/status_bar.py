"""The status bar: what the list amounts to, what runs now with how long still, and when the last sync was."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QProgressBar, QSizePolicy, QToolButton, QWidget

from confere.desktop.jobs.job import JobRequest
from confere.desktop.services import Services
from confere.desktop.theme.measures import GAP, WIDE_GAP
from confere.desktop.widgets.card import label
from confere.desktop.widgets.form import set_rank
from confere.desktop.widgets.plain_text import as_tip
from confere.desktop.widgets.progress import progress_text, show_progress
from confere.errors import Message
from confere.system.messages import render, t
from confere.system.progress import Progress

_BAR = 140


class StatusBar(QFrame):
    """Its parts keep their places whether a job runs or not, so nothing moves when one begins."""

    def __init__(self, services: Services, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("statusBar")
        self._services = services
        self._order: JobRequest | None = None  # whose progress is told
        self._progress: Progress | None = None
        self.totals = label()
        self.totals.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.job = label("", "muted")
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setFixedWidth(_BAR)
        self.bar.setAccessibleName(t("Progress of the job"))
        self.stop = QToolButton()
        self.stop.setProperty("look", "quiet")
        self.stop.setToolTip(t("Stop what is running"))
        self.stop.setAccessibleName(t("Stop what is running"))
        self.stop.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.stop.clicked.connect(services.jobs.stop_all)
        self.fresh = label("", "muted")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(WIDE_GAP - 4, 2, WIDE_GAP - 4, 2)
        layout.setSpacing(GAP)
        layout.addWidget(self.totals, 1)
        layout.addWidget(self.job)
        layout.addWidget(self.bar)
        layout.addWidget(self.stop)
        layout.addSpacing(GAP)
        layout.addWidget(self.fresh)
        self._make_room()
        services.jobs.changed.connect(self._jobs_changed)
        services.jobs.progressed.connect(self._progressed)
        services.jobs.noted.connect(self._noted)
        services.look.changed.connect(self._paint)
        self._paint()
        self._jobs_changed()

    def say_totals(self, text: str, hint: str = "") -> None:
        """What the list amounts to; `hint` says what the sum leaves out."""
        self.totals.setText(text)
        self.totals.setToolTip(as_tip(f"{text}\n{hint}".strip()))

    def say_fresh(self, text: str, is_alarm: bool = False) -> None:
        self.fresh.setText(text)
        set_rank(self.fresh, "warn" if is_alarm else "muted")

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.StyleChange, QEvent.Type.FontChange) and hasattr(self, "stop"):
            self._make_room()

    def _make_room(self) -> None:
        """As high as it is with the button that stops a job, which is there while one runs."""
        self.setMinimumHeight(self.stop.sizeHint().height() + 5)

    def _jobs_changed(self) -> None:
        jobs = self._services.jobs
        for widget in (self.job, self.bar, self.stop):
            widget.setVisible(jobs.busy)
        running = jobs.running
        if not running:
            self._order = self._progress = None
            return
        order = running[0]
        if order is not self._order:
            self._order, self._progress = order, None
        if all(jobs.is_stopping(entry) for entry in running):
            self.job.setText(t("{title}: stopping at a safe place…", title=order.title))
            show_progress(self.bar, None)
        else:
            self._say_progress(order)

    def _progressed(self, order: JobRequest, progress: Progress) -> None:
        if order is self._order and not self._services.jobs.is_stopping(order):
            self._progress = progress
            self._say_progress(order)

    def _say_progress(self, order: JobRequest) -> None:
        """How far it is; another job that comes or goes does not make it begin anew."""
        known = self._progress
        text = t("{title}: starting…", title=order.title) if known is None else progress_text(known)
        self.job.setText(_with_waiting(text, len(self._services.jobs.waiting)))
        self.job.setToolTip(as_tip(order.title))
        show_progress(self.bar, known)

    def _noted(self, order: JobRequest, note: Message) -> None:
        if order in self._services.jobs.running:
            self.job.setText(render(note))

    def _paint(self) -> None:
        self.stop.setIcon(self._services.look.icon("stop", "bad"))


def _with_waiting(text: str, waiting: int) -> str:
    if not waiting:
        return text
    return t("{text} (+{count} waiting)", text=text, count=waiting)
