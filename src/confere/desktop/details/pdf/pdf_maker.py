"""Has a PDF made in a process beside the window: drawing one takes longer than a frame, and may never end."""

from __future__ import annotations

import logging
from collections import OrderedDict
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from PySide6.QtCore import QCoreApplication, QObject, QTemporaryDir, QTimer, Signal

from confere.desktop.jobs.child_process import Child
from confere.desktop.jobs.job import JobKind, JobOutcome, JobRequest
from confere.desktop.jobs.job_results import PdfJobResult
from confere.errors import message
from confere.system.messages import RenderedError, language, render, t
from confere.system.paths import Home

_log = logging.getLogger(__name__)

_PAUSE_MS: Final = 150  # a person going down the list wants no PDF of what they pass
_PATIENCE_MS: Final = 120_000
_MOST_BYTES: Final = 40_000_000  # of PDFs kept
_LARGEST: Final = 200_000_000


@dataclass(frozen=True, slots=True)
class PdfRequest:
    """`name` and `event` as `confere pdf` takes them. `state` is the paper's: another state, another PDF."""

    name: str
    event: int | None
    sha256: str
    state: str
    file_name: str


@dataclass(frozen=True, slots=True)
class MadePdf:
    """`official` tells a DANFE and its kin from the plain rendering; `why` is what is to be said of it, or empty."""

    wanted: PdfRequest
    data: bytes
    official: bool
    why: str


class PdfMaker(QObject):
    """Makes one PDF at a time: the one asked for last. Those made last are kept."""

    made = Signal(MadePdf)
    failed = Signal(RenderedError)

    def __init__(self, home: Home, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._home = home
        self._folder: QTemporaryDir | None = None
        self._files = 0
        self._kept: OrderedDict[tuple[PdfRequest, str], MadePdf] = OrderedDict()
        self._wanted: PdfRequest | None = None
        self._children: list[Child] = []
        self._newest: Child | None = None  # the one that makes what is wanted
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(_PAUSE_MS)
        self._pause.timeout.connect(self._begin)
        self._patience = QTimer(self)
        self._patience.setSingleShot(True)
        self._patience.setInterval(_PATIENCE_MS)
        self._patience.timeout.connect(self._too_long)
        application = QCoreApplication.instance()
        if application is not None:
            application.aboutToQuit.connect(self.close)

    @property
    def busy(self) -> bool:
        """Whether a PDF is being made, wanted or not any more."""
        return self._pause.isActive() or bool(self._children)

    def ask(self, wanted: PdfRequest) -> None:
        """Make this one; at once where it was made before."""
        self.forget()
        self._wanted = wanted
        kept = self._kept.get((wanted, language()))
        if kept is not None:
            self._kept.move_to_end((wanted, language()))
            self.made.emit(kept)
        else:
            self._pause.start()

    def forget(self) -> None:
        """Nothing is wanted any more."""
        self._wanted = None
        self._pause.stop()
        self._patience.stop()
        self._newest = None
        for child in self._children:
            child.stop()

    def close(self) -> None:
        """End what runs, before the window goes."""
        self.forget()
        for child in tuple(self._children):
            child.end_now(200)

    def _begin(self) -> None:
        wanted = self._wanted
        if wanted is None:
            return
        if self._folder is None:
            self._folder = QTemporaryDir()
        if not self._folder.isValid():
            _log.info("the words on temporary files: %s", self._folder.errorString())
            self._fail(t("There is no room for temporary files."))
            return
        self._files += 1
        path = Path(self._folder.path()) / f"{self._files}.pdf"
        arguments = ["pdf", wanted.name, "--output", str(path)]
        arguments += ["--event", str(wanted.event)] if wanted.event is not None else []
        child = Child(JobRequest(JobKind.PDF, t("PDF"), tuple(arguments)), self._home, self)
        child.ended.connect(partial(self._ended, child, wanted, path))
        self._children.append(child)
        self._newest = child
        self._patience.start()
        child.start()

    def _ended(self, child: Child, wanted: PdfRequest, path: Path, outcome: JobOutcome) -> None:
        self._children.remove(child)
        child.deleteLater()
        data = _taken(path)
        drawn = next(iter(outcome.result.documents), None) if isinstance(outcome.result, PdfJobResult) else None
        is_made = bool(data) and drawn is not None and outcome.error is None
        # One that was stopped may have been for the very paper that is wanted again by now.
        if wanted != self._wanted or (child is not self._newest and not is_made):
            return
        self.forget()
        if outcome.error is not None:
            self.failed.emit(outcome.error)
        elif data and drawn is not None:
            self._keep(MadePdf(wanted, data, drawn.is_usual_form, drawn.why))
        else:
            self._fail(t("The PDF was not made."))

    def _keep(self, found: MadePdf) -> None:
        self._kept[found.wanted, language()] = found
        while len(self._kept) > 1 and sum(len(entry.data) for entry in self._kept.values()) > _MOST_BYTES:
            self._kept.popitem(last=False)
        self.made.emit(found)

    def _too_long(self) -> None:
        self._wanted = self._newest = None
        for child in tuple(self._children):
            child.end_now(0)
        self._fail(t("Making the PDF took too long; it was given up."))

    def _fail(self, what: str) -> None:
        self._wanted = None
        remedy = render(message("Everything else about the document is on the other pages."))
        self.failed.emit(RenderedError(t("There is no PDF"), what, remedy))


def _taken(path: Path) -> bytes:
    """The file's bytes, and no trace of it: it names persons."""
    try:
        data = path.read_bytes() if path.stat().st_size < _LARGEST else b""
    except OSError:
        data = b""
    with suppress(OSError):
        path.unlink(missing_ok=True)
    return data
