"""Opens the window on a data folder, or says in a sentence why it cannot."""

from __future__ import annotations

import builtins
import gc
import logging
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from confere.desktop.core import display_check
from confere.errors import EnvironmentFault, HomeGone, message
from confere.system import logs
from confere.system.messages import t

if TYPE_CHECKING:
    from confere.app.context import Workspace

_QUIT = 3  # the data folder is not there, and the person went
_log = logging.getLogger("qt")


def open_window(home: Path | None = None) -> int:
    """Run the window until it is closed; the exit code. Raises `ConfereError` where it cannot open.

    Qt is loaded here and not before, so that a command without a window never pays for it.
    """
    display_check.require()
    try:
        load_qt()
        from PySide6.QtCore import QtMsgType, qInstallMessageHandler

        from confere.desktop.core.application import make_application
        from confere.desktop.single_instance import SingleWindow
        from confere.desktop.window_session import Session
    except ImportError as error:
        raise display_check.no_libraries(error) from error
    from confere.app.maintenance.crash_report import WindowRun

    def listen(kind: QtMsgType, _context: object, text: str) -> None:
        """Qt's complaints belong into the log: whoever started a window from an icon has no terminal."""
        level = logging.DEBUG if kind in (QtMsgType.QtDebugMsg, QtMsgType.QtInfoMsg) else logging.WARNING
        _log.log(level, text)

    workspace = _workspace(home)
    if workspace is None:
        return _QUIT
    workspace.home.ensure()
    log = logs.open_log(workspace.home.logs)
    before = qInstallMessageHandler(listen)
    try:
        application = make_application()
        single = SingleWindow(workspace.home)
        if not single.claim():
            return _is_open_already(single.call(), workspace.home.root)
        run = WindowRun(workspace.home)
        try:
            session = Session(application, workspace, run.begin())
            single.asked_for.connect(session.show)
            session.show()
            code = application.exec()
            session.close()
        finally:
            run.end()
            single.release()
        return code
    finally:
        qInstallMessageHandler(before)
        logs.close_log(log)


def load_qt() -> None:
    """Import Qt. Raises `ImportError` where a library of the system is missing.

    Nothing is collected from now on, until the window does it (`Tidier`): what a start makes stays.

    PySide's own `import` reads the source of every module that is loaded after it, to learn whether that asks for
    other names of Qt's methods (`__feature__`). None of ours does, and it is a tenth of a start.
    """
    gc.disable()
    of_python = builtins.__import__
    try:
        import PySide6.QtWidgets  # noqa: F401
    finally:
        builtins.__import__ = of_python


def _workspace(home: Path | None) -> Workspace | None:
    """The data folder, asked for where the chosen one is gone; None where the person quits."""
    from confere.app.context import Workspace
    from confere.desktop.core.application import make_application, speak

    try:
        return Workspace.at(home)
    except HomeGone as error:
        from confere.desktop.settings.home.home_question import usable_workspace

        speak(make_application())
        return usable_workspace(home, error)


def _is_open_already(answers: bool, folder: Path) -> int:
    if not answers:
        raise EnvironmentFault(
            message("Confere is open on {path} already, and its window does not answer.", path=str(folder)),
            message("Wait a moment, or end that process; another data folder is chosen with --home."),
        )
    if sys.stdout is not None:
        sys.stdout.write(t("Confere was open on {path} already; its window came forward.", path=str(folder)) + "\n")
    return 0
