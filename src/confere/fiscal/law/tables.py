"""Reads the tables of the law from `resources/fiscal/*.toml`: each file once, when it is first asked for.

A file holds tables of codes, each row with its text in every language, and the source of the table where it is known:

    [ICMS]
    source = "…"

    [ICMS.codes]
    "00" = { pt_BR = "Tributada integralmente", en = "Taxed in full", es = "Tributada íntegramente" }
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from confere.errors import Bug, Message, message
from confere.system.files import system_words
from confere.system.resources import resource


@cache
def law_tables(name: str) -> Mapping[str, Mapping[str, Message]]:
    """The tables of `resources/fiscal/{name}.toml`: by the table's name, by code, what the code means.

    Each message has its texts in every language with it; its id is the English one. Raises `Bug` when the file is
    missing or is no such table.
    """
    return {
        title: {code: Message(row["en"], texts=row) for code, row in rows.items()}
        for title, rows in law_rows(name).items()
    }


@cache
def law_rows(name: str) -> Mapping[str, Mapping[str, Mapping[str, str]]]:
    """The rows of the same tables as they stand in the file, for what they have beside their texts. Raises as well."""
    import tomllib  # nothing else needs it: most commands show no code

    path = resource("fiscal", f"{name}.toml")
    try:
        with path.open("rb") as file:
            tables = {title: table["codes"] for title, table in tomllib.load(file).items()}
        if any("en" not in row for rows in tables.values() for row in rows.values()):
            raise ValueError("a row has no text")
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise unreadable(path, error) from error
    return tables


def unreadable(path: Path, error: Exception) -> Bug:
    """What to raise over a table that comes with the program and cannot be read."""
    return Bug(
        message("The table of the law {path} cannot be read: {reason}", path=str(path), reason=system_words.why(error)),
        message("Install Confere again."),
    )
