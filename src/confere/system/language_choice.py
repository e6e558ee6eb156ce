"""Which language the user reads: what was asked for, else what the system speaks, else Portuguese."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping

from confere.errors import UsageFault, message

LANGUAGES = ("pt_BR", "en", "es")
DEFAULT = "pt_BR"  # the product's first language
LANGUAGE_VARIABLE = "CONFERE_LANGUAGE"


def normalise(code: str) -> str | None:
    """The language of ours that `code` means, or None: `pt-PT.UTF-8` is `pt_BR`, `en_GB@euro` is `en`."""
    base = code.strip().replace("-", "_").split(".")[0].split("@")[0].split("_")[0].lower()
    return {"pt": "pt_BR", "en": "en", "es": "es"}.get(base)


def known(code: str) -> str:
    """Like `normalise`, for a code that somebody typed. Raises `UsageFault`."""
    found = normalise(code)
    if found is None:
        raise UsageFault(
            message("There is no language {code} here.", code=code),
            message("Choose one of: {choices}.", choices=", ".join(LANGUAGES)),
        )
    return found


def preferred(environ: Mapping[str, str] | None = None, ui_language: str | None = None, saved: str = "") -> str:
    """The language when no one was asked for: `CONFERE_LANGUAGE`, `saved`, the system's, Portuguese.

    `LC_ALL`, `LC_MESSAGES` and `LANG` count in this order and the first that is set decides, as in POSIX;
    without any, `ui_language` does (default: what Windows shows its menus in). A language that is not ours
    and the neutral `C` mean Portuguese.
    """
    variables = os.environ if environ is None else environ
    own = normalise(variables.get(LANGUAGE_VARIABLE, "")) or normalise(saved)
    if own is not None:
        return own
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if variables.get(name):
            return normalise(variables[name]) or DEFAULT
    return normalise(_menus_of_windows() if ui_language is None else ui_language) or DEFAULT


def _menus_of_windows() -> str:
    code = ""
    if sys.platform == "win32":
        import ctypes
        import locale  # nothing else asks it

        code = locale.windows_locale.get(ctypes.WinDLL("kernel32").GetUserDefaultUILanguage(), "")
    return code
