"""Whether a window can be shown here at all: without a display Qt ends the whole process without a word."""

from __future__ import annotations

import logging
import os
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from confere.errors import N_, ConfereError, EnvironmentFault, Message, message

if TYPE_CHECKING:
    import ctypes

_log = logging.getLogger(__name__)

_NEEDS_NO_DISPLAY = ("offscreen", "minimal", "vnc", "linuxfb", "eglfs", "vkkhrdisplay")
# What Qt loads for X11 alone and does not bring itself: without one of them it aborts.
_OF_X11 = (
    *("libxcb-cursor.so.0", "libxcb-icccm.so.4", "libxcb-keysyms.so.1", "libxcb-shape.so.0", "libxcb-xkb.so.1"),
    *("libxkbcommon-x11.so.0", "libxcb-randr.so.0", "libxcb-sync.so.1", "libxcb-xfixes.so.0", "libX11-xcb.so.1"),
    *("libxcb-image.so.0", "libxcb-render-util.so.0", "libxcb-util.so.1"),
)
_PACKAGES = "libegl1 libgl1 libxkbcommon-x11-0 libxcb-cursor0 libxcb-icccm4 libxcb-keysyms1 libxcb-shape0 libdbus-1-3"


class NoDisplay(EnvironmentFault):
    """Confere was asked for a window where none can be shown."""

    title = N_("The window cannot open")


def require(environ: Mapping[str, str] | None = None, platform: str = sys.platform) -> None:
    """Raise `NoDisplay` where there is no screen. Windows and macOS always have one."""
    variables = os.environ if environ is None else environ
    if platform in ("win32", "darwin"):
        return
    if variables.get("QT_QPA_PLATFORM", "").split(":")[0].startswith(_NEEDS_NO_DISPLAY):
        return
    x11, wayland = variables.get("DISPLAY", ""), variables.get("WAYLAND_DISPLAY", "")
    if not (x11 or wayland):
        raise _refusal(message("There is no display here (neither DISPLAY nor WAYLAND_DISPLAY is set)."))
    if not (_wayland_answers(wayland, variables) or _x11_answers(x11)):
        raise _refusal(message("The display {name} does not answer.", name=x11 or wayland))
    missing = None if wayland else missing_library()
    if missing is not None:
        raise no_libraries(OSError(missing))


def is_there() -> bool:
    """Whether `require` would let a window open."""
    try:
        require()
    except ConfereError:
        return False
    return True


def missing_library() -> str | None:
    """A library without which Qt cannot show a window on X11; None where all are there."""
    return next((name for name in _OF_X11 if _library(name) is None), None)


def no_libraries(error: Exception) -> NoDisplay:
    """What to say when Qt cannot be loaded: a server or a container lacks the libraries of a desktop."""
    return NoDisplay(
        message("A system library that the window needs is missing: {why}.", why=_library_name(error)),
        message("Install it; on Debian or Ubuntu: apt-get install {packages}.", packages=_PACKAGES),
    )


def _library_name(error: Exception) -> str:
    """The file's name alone: what the loader says around it is English."""
    _log.info("the loader's words: %s", error)
    named = re.search(r"[\w.+-]+\.(?:so[\w.]*|dll|dylib)", str(error), re.IGNORECASE)
    return named[0] if named else "Qt"


def _refusal(what: Message) -> NoDisplay:
    return NoDisplay(
        what, message("Everything works without a window too: see `confere --help`, or try `confere demo --no-window`.")
    )


def _wayland_answers(name: str, variables: Mapping[str, str]) -> bool:
    import socket

    if not name or not hasattr(socket, "AF_UNIX"):
        return False
    path = Path(variables.get("XDG_RUNTIME_DIR", "/"), name)
    with socket.socket(socket.AF_UNIX) as probe:
        try:
            probe.connect(str(path))
        except OSError:
            return False
    return True


def _x11_answers(name: str) -> bool:
    """Ask by the library that Qt asks by; where it is missing, let Qt say so."""
    import ctypes

    library = _library("libxcb.so.1") if name else None
    if library is None:
        return bool(name)
    library.xcb_connect.restype = ctypes.c_void_p
    connection = ctypes.c_void_p(library.xcb_connect(name.encode(), None))
    answers = bool(library.xcb_connection_has_error(connection) == 0)
    library.xcb_disconnect(connection)
    return answers


def _library(name: str) -> ctypes.CDLL | None:
    import ctypes

    try:
        return ctypes.CDLL(name)
    except OSError:
        return None
