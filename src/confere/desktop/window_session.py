"""One run of the window: makes what it needs, opens it, makes it anew when the language changes, and tidies up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QEvent, QObject
from PySide6.QtWidgets import QApplication

from confere.app.archive_session import OpenArchive
from confere.app.context import Workspace
from confere.desktop.core.application import speak
from confere.desktop.core.archive_watch import ArchiveWatch
from confere.desktop.core.background_reader import BackgroundReader
from confere.desktop.core.error_reporting import Faults
from confere.desktop.core.garbage_collection import Tidier
from confere.desktop.core.scope import WindowScope
from confere.desktop.core.window_memory import Memory
from confere.desktop.dialogs.saving import row_files
from confere.desktop.jobs.jobs import Jobs
from confere.desktop.services import Services
from confere.desktop.shell.controller import connected_window
from confere.desktop.shell.window import MainWindow
from confere.desktop.theme.theme import Look
from confere.desktop.widgets.notices import WARN, Notices
from confere.system.messages import render, set_language
from confere.system.settings import APPEARANCE, COMPACT_ROWS, LANGUAGE

if TYPE_CHECKING:
    from confere.app.maintenance.crash_report import EarlierCrash


class Session(QObject):
    """The services outlive a window that is made anew; `close` ends everything."""

    def __init__(self, application: QApplication, workspace: Workspace, crash: EarlierCrash | None = None) -> None:
        """`crash` is the window before this one, where it ended without being closed."""
        super().__init__(application)
        self._application = application
        self.faults = Faults(self, workspace.damage_behind)
        self.faults.install()
        speak(application)
        opened = OpenArchive(workspace)
        memory = Memory(workspace.home)
        self.services = Services(
            workspace=workspace,
            opened=opened,
            reader=BackgroundReader(self.faults.tell, self),
            watch=ArchiveWatch(opened, self),
            memory=memory,
            look=Look(
                application,
                workspace.settings.get(APPEARANCE),
                is_compact=workspace.settings.get(COMPACT_ROWS),
                styles_later=True,
            ),
            faults=self.faults,
            notices=Notices(self),
            jobs=Jobs(workspace.home, self),
            scope=WindowScope(memory, self),
        )
        self._tidier = Tidier(self)
        self._tidier.start()
        self.window = self._make()
        for warning in (*workspace.settings.warnings, *((memory.problem,) if memory.problem else ())):
            self.services.notices.add(WARN, render(warning))
        if crash is not None:
            from confere.desktop.shell.overlay import crash_offer

            crash_offer.offer(self.services, crash, lambda: self.window)

    def show(self) -> None:
        """Show the window, or bring it forward."""
        window = self.window
        if window.isMinimized():
            window.showNormal()
        else:
            window.show()
        window.raise_()
        window.activateWindow()

    def close(self) -> None:
        """After the last window: end jobs, threads and the archive, and take the widgets down in order.

        Left to the end of the interpreter they go in any order, which Qt does not survive.
        """
        services = self.services
        services.watch.stop()
        self.window.details.end_work()
        services.jobs.close()
        services.reader.close()
        services.memory.save()
        services.opened.close()
        row_files.clean_up()
        self.faults.uninstall()
        self.window.hide()
        self.window.deleteLater()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        self._tidier.stop()  # not before: Python would collect while Qt is in the middle of taking the widgets down
        self.deleteLater()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)

    def _make(self) -> MainWindow:
        window = connected_window(self.services)
        window.rebuild_wanted.connect(self._rebuild)
        return window

    def _rebuild(self) -> None:
        """Another language: the old window goes only once the new one stands, so that Qt does not end."""
        # What was chosen just now counts at once, whatever the environment says for the start.
        set_language(self.services.workspace.settings.get(LANGUAGE) or None)
        speak(self._application)
        old = self.window
        old.remember()
        old.details.end_work()
        self.window = self._make()
        self.show()
        old.hide()
        old.deleteLater()
        self._tidier.collect_all_soon()  # a window that never loses the focus would keep what was Python's of it
