"""Shows an error in a box of its own where the program was started from an icon: no terminal would show it."""

from __future__ import annotations

import logging
import sys
from pathlib import Path

from confere.desktop.core import display_check
from confere.system.messages import RenderedError
from confere.system.redaction import redact

_log = logging.getLogger(__name__)
_WITHOUT_CONSOLE = "confere-desktop"
_MB_ICONERROR = 0x10


def has_readers() -> bool:
    """Whether somebody may read what goes to stderr. To be asked before the streams are prepared.

    A program without a console has no streams on Windows; elsewhere an icon's program writes into a journal. A stream
    that leads to a file or to another program has a reader where it is `confere` that was started.
    """
    if sys.stdout is None and sys.stderr is None:
        return False
    if Path(sys.argv[0]).stem.lower() != _WITHOUT_CONSOLE:
        return True
    return any(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr))


def show(error: RenderedError) -> None:
    """Show the error until it is closed: by Qt, or on Windows by the system where Qt cannot be loaded.

    Where there is no screen nothing is shown.
    """
    if not display_check.is_there():
        return
    text = "\n\n".join(part for part in (error.what, error.remedy, redact(error.hub_words)) if part)
    try:
        _show_by_qt(error.title, text)
    except Exception:
        _log.info("No box for an error", exc_info=True)
        _show_by_windows(error.title, text)


def _show_by_qt(title: str, text: str) -> None:
    from PySide6.QtCore import Qt
    from PySide6.QtWidgets import QMessageBox

    from confere.desktop.core.application import make_application, speak

    speak(make_application())
    box = QMessageBox(QMessageBox.Icon.Critical, "Confere", title)
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setInformativeText(text)
    box.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    box.exec()


def _show_by_windows(title: str, text: str) -> None:
    if sys.platform == "win32":
        import ctypes

        ctypes.windll.user32.MessageBoxW(0, f"{title}\n\n{text}", "Confere", _MB_ICONERROR)
