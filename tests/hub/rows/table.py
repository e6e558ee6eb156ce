"""The rows of the hub's specification, kept in our own words in `specification/*.toml`, each with who proves it.

A row's subject is its name after the first dot: what its probes look at.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).resolve().parent / "specification"


class Row(NamedTuple):
    """`hub` and `client` name probes; where `client` is empty, `reason` says why the row has one end."""

    name: str
    section: str
    text: str
    hub: str
    client: str
    reason: str

    @property
    def subject(self) -> str:
        return self.name.partition(".")[2]


def rows(folder: Path = FOLDER) -> list[Row]:
    """Every row, in the order of the specification. Raises ValueError for two of one name."""
    result = []
    for file in sorted(folder.glob("*.toml")):
        for group in tomllib.loads(file.read_text(encoding="utf-8"))["group"]:
            for name, text in group["rows"].items():
                client, reason = group.get("client", ""), group.get("reason", "")
                if bool(client) == bool(reason):
                    raise ValueError(f"{name} needs a probe of the client or a reason, and not both")
                result.append(Row(name, group["section"], text, group["hub"], client, reason))
    twice = [name for name, times in Counter(row.name for row in result).items() if times > 1]
    if twice:
        raise ValueError(f"two rows of one name: {', '.join(twice)}")
    return result
