"""Turns whatever a command raised into one sentence with a way out, and into its exit code."""

from __future__ import annotations

import errno
import logging
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from confere.cli import window
from confere.cli.context import Face
from confere.errors import Bug, Cancelled, ConfereError, message
from confere.system import logs
from confere.system.files.atomic_file import storage_fault
from confere.system.messages import render_error

_log = logging.getLogger(__name__)
_FULL = {errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC)}


def tell(face: Face, error: BaseException) -> int:
    """Say what happened and give the exit code: 1 stopped, 2 wrong use, 3 cannot."""
    known = _known(face, error)
    if known is None or isinstance(known, Bug):
        known = _damage(face, error) or known
    if known is None:
        known = _unexpected(face, error)
    elif isinstance(known, Bug):
        _keep_trace(face, error)
    elif face.given.verbose and known.exit_code == ConfereError.exit_code:
        face.out.trace(_trace(error))
    rendered = render_error(known)
    face.out.error(rendered, known.exit_code)
    window.show_error(rendered)
    return known.exit_code


def _known(face: Face, error: BaseException) -> ConfereError | None:
    if isinstance(error, ConfereError):
        return error
    if isinstance(error, KeyboardInterrupt):
        return Cancelled(
            message("The work was stopped; what was done so far is kept."),
            message("Start it again to go on from there."),
        )
    if isinstance(error, OSError) and error.errno in _FULL:
        return storage_fault(error, Path(str(error.filename)) if error.filename else face.home.root)
    return None


def _damage(face: Face, error: BaseException) -> ConfereError | None:
    """A damaged archive makes trouble anywhere: only over one that is whole is the unexpected our fault."""
    try:
        return face.workspace.damage_behind(error)
    except Exception:  # looking for it must not hide what happened
        _log.info("the archive could not be looked at", exc_info=True)
        return None


def _unexpected(face: Face, error: BaseException) -> ConfereError:
    """One sentence that names the log; the trace stands there and not on the screen."""
    name = type(error).__name__
    log = _keep_trace(face, error)
    if log is None:
        if not face.given.verbose:
            face.out.trace(_trace(error))
        return Bug(
            message("An unexpected error ({name}) ended the command; nothing could be logged.", name=name),
            message("Try again; if it stays, report it with the lines above."),
        )
    return Bug(
        message("An unexpected error ({name}) ended the command; the details are in {path}.", name=name, path=log),
        message("Try again; if it stays, report it with that file."),
    )


def _keep_trace(face: Face, error: BaseException) -> str | None:
    """Log the trace; the file that holds it, None where it could not be written."""
    if face.given.verbose:
        face.out.trace(_trace(error))
    try:
        face.home.ensure()
    except (ConfereError, OSError):
        return None
    with _log_of(face.home.logs) as path:
        _log.error("unexpected error", exc_info=error)
    return str(path) if path.is_file() else None


@contextmanager
def _log_of(folder: Path) -> Iterator[Path]:
    """The log file of this process, opened where it is not."""
    for handler in logging.getLogger().handlers:
        if isinstance(handler, logs.LogHandler) and handler.path.parent == folder:
            yield handler.path
            return
    opened = logs.open_log(folder)
    try:
        yield opened.path
    finally:
        logs.close_log(opened)


def _trace(error: BaseException) -> str:
    return "".join(traceback.format_exception(error)).rstrip()
