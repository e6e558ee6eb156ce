"""How a command opens the window, which is another face: whoever starts the program says how, and whether it can."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from confere.cli.context import Face
from confere.system.messages import RenderedError


@dataclass(frozen=True, slots=True)
class Opener:
    """`can_open` tells whether there is a screen; `open` runs the window on a data folder until it is closed.

    `show_error` shows why it does not open to whoever has no terminal to read it in; None where there is one.
    """

    can_open: Callable[[], bool]
    open: Callable[[Path | None], int]
    show_error: Callable[[RenderedError], None] | None = None


class _Given:
    """Set once, where the program starts; the command line alone has no window."""

    opener: Opener | None = None


def use(opener: Opener | None) -> None:
    """Open windows by this from now on."""
    _Given.opener = opener


def is_known() -> bool:
    return _Given.opener is not None


def can_open() -> bool:
    """Whether a window would open here."""
    return _Given.opener is not None and _Given.opener.can_open()


def open_window(face: Face) -> int:
    """The work of `confere` without a command. Raises `ConfereError` where no window can open."""
    assert _Given.opener is not None
    return _Given.opener.open(face.given.home)


def show_error(error: RenderedError) -> None:
    """Show it in a box where no terminal shows it."""
    if _Given.opener is not None and _Given.opener.show_error is not None:
        _Given.opener.show_error(error)
