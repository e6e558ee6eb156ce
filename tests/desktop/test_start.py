"""What a start waits for: the modules that are loaded when the first rows of the list are on the screen."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

# Each costs more than it gives the first rows; the start is measured by `python -m tests.bench start`.
LIBRARIES = frozenset(
    {
        "alembic", "asyncio", "babel", "brazilfiscalreport", "click", "cryptography", "filelock", "fpdf",
        "html", "httpx", "isal", "jsonschema", "keyring", "lxml", "pypdfium2", "rich", "secrets", "sqlalchemy",
        "stamina", "tenacity", "tomllib", "typer", "xlsxwriter", "zstandard",
    }
)  # fmt: skip
ROOMS = (
    "confere.app.reconciliation", "confere.archive.schema.schema", "confere.cli", "confere.desktop.activity.",
    "confere.desktop.catalog.", "confere.desktop.closing.", "confere.desktop.details.paper",
    "confere.desktop.jobs.job_results", "confere.desktop.orders.", "confere.desktop.overview.page.",
    "confere.desktop.reconcile.", "confere.desktop.settings.", "confere.export", "confere.fiscal.document_parts",
    "confere.fiscal.model", "confere.fiscal.reading", "confere.hub", "confere.intake", "confere.reconcile",
    "confere.sales",
)  # fmt: skip
MOST_OF_OURS = 213
"""Modules of ours; there are more than a thousand. Seven look at the archive's files and schema before it is read."""

RUN = """
import sys
from PySide6.QtCore import QEvent, QObject, QTimer
from confere.desktop import main, window_session

made = window_session.Session.show

def show(self):
    window, table = self.window, self.window.documents.table

    def end():
        print(chr(10).join(sorted(sys.modules)))
        window.close()

    class Watch(QObject):
        def eventFilter(self, watched, event):
            if event.type() == QEvent.Type.Paint and table.model().rowCount() > 20:
                table.viewport().removeEventFilter(self)
                if sys.argv[2] == "at first rows":
                    QTimer.singleShot(0, end)
                else:
                    self.services.reader.idle.connect(end)
            return False

    self.watch = Watch()
    self.watch.services = self.services
    table.viewport().installEventFilter(self.watch)
    made(self)

window_session.Session.show = show
sys.exit(main.open_window(sys.argv[1]))
"""


def loaded(home: Path, when: str) -> set[str]:
    """The modules of a window in a process of its own, when its first rows are painted or some time `later`."""
    (home / "window.ini").write_text("[window]\nplace=DOCUMENTS\n[scope]\nmonth=\n", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", RUN, str(home), when], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    return set(done.stdout.split())


def test_the_first_rows_wait_for_nothing_that_they_do_not_need(home: Path) -> None:
    modules = loaded(home, "at first rows")
    assert "PySide6.QtWidgets" in modules
    assert sorted(modules & LIBRARIES) == []
    assert [name for name in sorted(modules) if f"{name}.".startswith(ROOMS)] == []
    assert len([name for name in modules if name.startswith("confere.")]) <= MOST_OF_OURS


def test_what_waited_comes_after_them(home: Path) -> None:
    """Otherwise no list of months or accounts would be filled."""
    modules = loaded(home, "once nothing is asked any more")
    assert {
        "confere.app.overview.months", "confere.app.accounts.accounts",
        "confere.app.schedule.alarms", "confere.desktop.details.paper",
    } <= modules  # fmt: skip
