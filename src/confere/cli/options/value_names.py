"""The names of values in the help, in the user's language: `--account NAME` is `--account NOME`."""

from __future__ import annotations

import re
from typing import Final

from confere.errors import N_, Message
from confere.system.messages import render

_NAMES: Final = {
    "ADDRESS": N_("ADDRESS"),
    "CODE": N_("CODE"),
    "COLUMN": N_("COLUMN"),
    "COMPANY": N_("COMPANY"),
    "DAY": N_("DAY"),
    "DIGEST": N_("DIGEST"),
    "DIR": N_("FOLDER"),
    "FIELD": N_("FIELD"),
    "FILE": N_("FILE"),
    "FOLDER": N_("FOLDER"),
    "GROUND": N_("GROUND"),
    "GROUP": N_("GROUP"),
    "KEY": N_("KEY"),
    "LIST": N_("LIST"),
    "MINUTES": N_("MINUTES"),
    "MODEL": N_("MODEL"),
    "MONTHS": N_("MONTHS"),
    "MOVE": N_("MOVE"),
    "NAME": N_("NAME"),
    "NEW": N_("NEW"),
    "NUMBER": N_("NUMBER"),
    "OPERATION": N_("OPERATION"),
    "ORDER": N_("ORDER"),
    "PATH": N_("PATH"),
    "PROFILE": N_("PROFILE"),
    "RULE": N_("RULE"),
    "SECONDS": N_("SECONDS"),
    "SECRET": N_("SECRET"),
    "SERIES": N_("SERIES"),
    "SHARE": N_("SHARE"),
    "STATE": N_("STATE"),
    "SUBTYPE": N_("SUBTYPE"),
    "TAG": N_("TAG"),
    "TEMPLATE": N_("TEMPLATE"),
    "TEXT": N_("TEXT"),
    "TIME": N_("TIME"),
    "TYPE": N_("TYPE"),
    "VALUE": N_("VALUE"),
    "VERDICT": N_("VERDICT"),
    "WHICH": N_("WHICH"),
    "WORD": N_("WORD"),
    "WORDS": N_("WORDS"),
    "YYYY": N_("YYYY"),
}
_WORD: Final = re.compile(r"(?<![A-Za-z])[A-Z]{3,}(?![A-Za-z])")


def shown(metavar: str) -> str:
    """`metavar` with each name in it in the user's language; a name that is not known stays as it is."""
    return _WORD.sub(lambda match: _word(match[0]), metavar)


def _word(name: str) -> str:
    known = _NAMES.get(name)
    return name if known is None else render(Message(known))
