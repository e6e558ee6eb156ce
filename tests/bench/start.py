"""From starting the program to the first rows on the screen, beside an empty window of the same Qt.

By the processor time of the process until then: other programs of the machine do not count. The window is as it was
left: at the documents, of every month.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.bench import many

BUDGET = 3.0  # times an empty window
_RUNS = 7

_EMPTY = """
import time
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QMainWindow

class Window(QMainWindow):
    def paintEvent(self, event):
        super().paintEvent(event)
        QTimer.singleShot(0, QApplication.quit)

application = QApplication([])
application.setStyle("Fusion")
window = Window()
window.resize(1280, 800)
window.show()
application.exec()
print(time.process_time())
"""

_FULL = """
import sys
import time
from pathlib import Path
from confere.app.context import Workspace
from confere.desktop.main import load_qt
load_qt()
from PySide6.QtCore import QEvent, QObject, QTimer
from confere.desktop.core.application import make_application
from confere.desktop.window_session import Session

application = make_application()
session = Session(application, Workspace.at(Path(sys.argv[1])))
table = session.window.documents.table

class Watch(QObject):
    def eventFilter(self, watched, event):
        if event.type() == QEvent.Type.Paint and table.model().rowCount() > 20:
            QTimer.singleShot(0, application.quit)
        return False

watch = Watch()
table.viewport().installEventFilter(watch)
session.show()
application.exec()
print(time.process_time())
session.close()
"""


def run(documents: int = 100_000) -> None:
    """Both, one after the other and again, so that what the machine does else hits both."""
    kept = os.environ.get("CONFERE_BENCH_ARCHIVE")
    with tempfile.TemporaryDirectory() as scratch:
        home = Path(kept or scratch)
        if not (home / "archive.sqlite3").is_file():
            home.mkdir(parents=True, exist_ok=True)
            many.make(home / "archive.sqlite3", documents)
        (home / "window.ini").write_text("[window]\nplace=DOCUMENTS\n[scope]\nmonth=\n", encoding="utf-8")
        empty, full = [], []
        for _ in range(_RUNS):
            empty.append(_seconds(_EMPTY))
            full.append(_seconds(_FULL, str(home)))
    ceiling, ours = statistics.median(empty), statistics.median(full)
    print(f"  empty window: {ceiling * 1000:.0f} ms (median of {_RUNS})")
    print(f"  first rows of {documents:,}: {ours * 1000:.0f} ms = {ours / ceiling:.2f} x (budget {BUDGET:g})")


def _seconds(code: str, *arguments: str) -> float:
    variables = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    run = subprocess.run(
        [sys.executable, "-c", code, *arguments], env=variables, check=True, capture_output=True, text=True
    )
    return float(run.stdout)
