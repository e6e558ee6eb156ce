"""Everything that a process remembers without its being anybody's argument, and why; a test holds the list complete.

Caches of pure functions (`functools.cache`) are not among it: forgetting them changes nothing.
"""

from __future__ import annotations

from typing import Final

HIDDEN_STATE: Final = {
    "confere.system.messages._Choice.code": "The language: every sentence asks for it, errors in the midst of any"
    " work included. A process speaks one language at a time; `set_language` changes it.",
    "confere.system.redaction._known": "The tokens that no log and no error may show: whoever writes a line must not"
    " need to know which account is at work.",
    "confere.system.secrets.system_keyring._Hung.event": "Whether the system's keyring once did not answer: asking it"
    " again would wait as long again.",
    "confere.desktop.dialogs.saving.row_files._Place.folder": "Where files that were dragged or copied lie: another"
    " program may ask for them until the end.",
    "confere.system.files.stale_drafts._swept": "The folders whose stale drafts were removed:"
    " once a process is enough.",
    "confere.system.processes.library_warnings._alone": "A lock: Python's filters of warnings"
    " belong to the whole process.",
    "confere.system.processes.own_commands._environment": "A lock: the environment belongs to the whole process.",
    "confere.archive.maintenance.file_descriptors._held": "Open descriptors of archives: closing any descriptor of a"
    " file takes SQLite's locks of this process from it, so they stay open as long as somebody has the file open.",
    "confere.archive.maintenance.file_descriptors._guard": "The lock of `_held`.",
    "confere.app.closing.bridge._KEPT": "Placing a ledger takes seconds; it is dropped when the archive is written to.",
    "confere.app.reconciliation.stock_and_taxes._KEPT": "The table of stock that was read last from an open archive:"
    " reading the whole input of an account takes seconds, and each row of the table is asked for by itself.",
    "confere.cli.window._Given.opener": "How a command opens the window: the command line must not import Qt, so the"
    " program's entry point says it once.",
    "confere.desktop.details.pdf.page_pictures._PDFIUM": "A lock: PDFium takes one question at a time.",
}
"""Dotted name to the reason."""
