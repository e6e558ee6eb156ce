"""Why the system refused something, as a sentence of our own: its own words are English, or of another language."""

from __future__ import annotations

import errno
import logging
from typing import Final

from confere.errors import Message, message
from confere.system.redaction import redact

_log = logging.getLogger(__name__)

_FULL: Final = message("the disk is full")
_HELD: Final = message("another program is using it")
_LONG_NAME: Final = message("the name is too long")
_NOT_THERE: Final = message("it does not exist")
_NO_NETWORK: Final = message("the network does not reach it")
_WRITE_PROTECTED: Final = message("the disk is protected against writing")
_DISK_FAILED: Final = message("the disk failed")
_NO_MEMORY: Final = message("there is not enough memory")
_SILENT: Final = message("it did not answer in time")

_BY_NAME: Final = {
    "ENOENT": _NOT_THERE,
    "EACCES": message("the system does not allow it"),
    "EPERM": message("the system does not allow it"),
    "EEXIST": message("it exists already"),
    "EISDIR": message("it is a folder"),
    "ENOTDIR": message("a part of the path is no folder"),
    "ENOTEMPTY": message("the folder is not empty"),
    "ENAMETOOLONG": _LONG_NAME,
    "EINVAL": message("the system does not take this name or value"),
    "EILSEQ": message("the system does not take this name or value"),
    "ELOOP": message("its links lead round in circles"),
    "EXDEV": message("it is on another disk"),
    "ENOSPC": _FULL,
    "EDQUOT": message("the user's share of the disk is used up"),
    "EFBIG": message("the file is too large for this disk"),
    "EROFS": _WRITE_PROTECTED,
    "EIO": _DISK_FAILED,
    "ENODEV": message("the disk or device is not there"),
    "ENXIO": message("the disk or device is not there"),
    "ENOTCONN": message("the disk or device is not there"),
    "ESTALE": message("the network folder is not there any more"),
    "EBUSY": _HELD,
    "ETXTBSY": _HELD,
    "EAGAIN": _HELD,
    "EDEADLK": _HELD,
    "ENOLCK": message("the disk does not take locks"),
    "EMFILE": message("too many files are open"),
    "ENFILE": message("too many files are open"),
    "ENOMEM": _NO_MEMORY,
    "EPIPE": message("nobody reads it any more"),
    "EBADF": message("it is closed"),
    "ENOTSUP": message("the disk cannot do this"),
    "ENOSYS": message("the system cannot do this"),
    "ENOEXEC": message("it is no program of this system"),
    "ECONNREFUSED": message("the connection was refused"),
    "ECONNRESET": message("the connection broke"),
    "ECONNABORTED": message("the connection broke"),
    "ETIMEDOUT": _SILENT,
    "ENETUNREACH": _NO_NETWORK,
    "ENETDOWN": _NO_NETWORK,
    "EHOSTUNREACH": _NO_NETWORK,
    "EHOSTDOWN": _NO_NETWORK,
    "EADDRINUSE": message("the port is in use"),
    "EADDRNOTAVAIL": message("this machine has no such address"),
    "EAFNOSUPPORT": message("this machine has no such address"),
}
_BY_NUMBER: Final = {getattr(errno, name): words for name, words in _BY_NAME.items() if hasattr(errno, name)}
# What Windows says more exactly than the error number that Python makes of it.
_BY_WINDOWS: Final = {
    19: _WRITE_PROTECTED,
    21: message("the disk or device is not there"),
    23: _DISK_FAILED,
    32: _HELD,
    33: _HELD,
    39: _FULL,
    53: _NO_NETWORK,
    64: _NO_NETWORK,
    67: _NO_NETWORK,
    112: _FULL,
    123: message("the system does not take this name or value"),
    206: _LONG_NAME,
    267: message("a part of the path is no folder"),
    1117: _DISK_FAILED,
    1231: _NO_NETWORK,
    1392: _DISK_FAILED,
}


def why(error: BaseException) -> Message:
    """The reason for `error` as the end of a sentence: "the disk is full". The original words go to the log.

    Takes what files, sockets and readers of text raise; of any other error only the kind is told.
    """
    _log.info("the system's words: %s", redact(f"{type(error).__name__}: {error}"))
    return _of_its_kind(error) or _of_its_number(error)


def _of_its_kind(error: BaseException) -> Message | None:
    import socket  # they take long to load, and nothing that ends well needs them here
    import ssl

    match error:
        case socket.gaierror():
            return message("the network does not know this name")
        case ssl.SSLError():
            return message("the encrypted connection (TLS) failed")
        case TimeoutError():
            return _SILENT
        case UnicodeError():
            return message("it is no text in the encoding that it should have")
        case EOFError():
            return message("it is cut short")
        case MemoryError():
            return _NO_MEMORY
        case RecursionError():
            return message("it is nested too deeply")
        case ModuleNotFoundError():
            return message("a part of the program is not installed")
    return None


def _of_its_number(error: BaseException) -> Message:
    if not isinstance(error, OSError):
        return message("its content is not as it should be")
    words = _BY_WINDOWS.get(getattr(error, "winerror", None) or 0) or _BY_NUMBER.get(error.errno or 0)
    if words is not None:
        return words
    if error.errno is None:
        return message("the system refused it")
    return message("the system reports error {code}", code=errno.errorcode.get(error.errno, str(error.errno)))
