"""What SQLite says about a database, as a sentence of our own: its own words are English."""

from __future__ import annotations

import logging
import sqlite3
from typing import Final

from confere.errors import Message, message

_log = logging.getLogger(__name__)
_PAGES_BROKEN: Final = message("its pages do not fit together")

_BY_CODE: Final = {
    sqlite3.SQLITE_CORRUPT: _PAGES_BROKEN,
    sqlite3.SQLITE_NOTADB: message("the file is no database"),
    sqlite3.SQLITE_FULL: message("the disk is full"),
    sqlite3.SQLITE_BUSY: message("another program is using it"),
    sqlite3.SQLITE_LOCKED: message("another program is using it"),
    sqlite3.SQLITE_CANTOPEN: message("the file cannot be opened"),
    sqlite3.SQLITE_READONLY: message("the file cannot be written"),
    sqlite3.SQLITE_PERM: message("the system does not allow it"),
    sqlite3.SQLITE_NOMEM: message("there is not enough memory"),
    sqlite3.SQLITE_TOOBIG: message("a value is too large for the database"),
    sqlite3.SQLITE_CONSTRAINT: message("two rows contradict each other"),
    sqlite3.SQLITE_MISMATCH: message("a value is of the wrong type"),
    sqlite3.SQLITE_PROTOCOL: message("another program is using it"),
    sqlite3.SQLITE_INTERRUPT: message("it was interrupted"),
    sqlite3.SQLITE_SCHEMA: message("its tables changed meanwhile"),
    sqlite3.SQLITE_NOLFS: message("the file is too large for this disk"),
}
# Of the disk, by the extended code: what it was asked for.
_DISK_FAILED: Final = {
    sqlite3.SQLITE_IOERR_READ: message("the disk could not be read"),
    sqlite3.SQLITE_IOERR_SHORT_READ: message("the disk gave less than was written"),
    sqlite3.SQLITE_IOERR_WRITE: message("the disk could not be written"),
    sqlite3.SQLITE_IOERR_FSYNC: message("the disk could not be written"),
    sqlite3.SQLITE_IOERR_TRUNCATE: message("the disk could not be written"),
    sqlite3.SQLITE_IOERR_LOCK: message("the disk does not take locks"),
    sqlite3.SQLITE_IOERR_NOMEM: message("there is not enough memory"),
}


def why(error: Exception) -> Message:
    """The reason for an error of SQLite as the end of a sentence. The original words go to the log."""
    _log.info("the database's words: %s: %s", type(error).__name__, error)
    if isinstance(error, UnicodeError):
        return message("it holds a text that is not UTF-8")
    code = getattr(error, "sqlite_errorcode", None)
    if code is None:
        return message("its content is not as it should be")
    if code & 0xFF == sqlite3.SQLITE_IOERR:
        return _DISK_FAILED.get(code, message("the disk failed"))
    words = _BY_CODE.get(code & 0xFF)
    if words is not None:
        return words
    return message("the database reports error {code}", code=getattr(error, "sqlite_errorname", code))


def broken_structure(verdict: str) -> Message:
    """What a check of the structure found, for SQLite's `verdict` on it, which goes to the log."""
    _log.info("the database's words: %s", verdict)
    return _PAGES_BROKEN
