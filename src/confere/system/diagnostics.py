"""Describes the machine and the versions in use, for `doctor` and bug reports; names no user and no path."""

from __future__ import annotations

import locale
import platform
import sys
from importlib import metadata

from confere.system.messages import language

_LIBRARIES = (
    "cryptography",
    "fastapi",
    "httpx",
    "isal",
    "keyring",
    "lxml",
    "PySide6_Essentials",
    "sqlalchemy",
    "zstandard",
)


def describe() -> dict[str, str]:
    """What runs here, by name, in a fixed order. A library that is not installed is left out."""
    facts = {
        "confere": version(),
        "python": f"{platform.python_version()} ({platform.python_implementation()})",
        "system": platform.platform(),
        "architecture": platform.machine(),
        "frozen": "yes" if getattr(sys, "frozen", False) else "no",
        "language": language(),
        "encoding": f"{locale.getpreferredencoding(False)}, files {sys.getfilesystemencoding()}",
    }
    for name in _LIBRARIES:
        try:
            facts[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return facts


def version() -> str:
    """The version of Confere, or `unknown` where it runs from bare files."""
    try:
        return metadata.version("confere")
    except metadata.PackageNotFoundError:
        return "unknown"
