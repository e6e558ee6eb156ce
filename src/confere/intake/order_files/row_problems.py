"""What of an order file could not be read, row by row."""

from __future__ import annotations

from dataclasses import dataclass

from confere.errors import Message


@dataclass(frozen=True, slots=True)
class RowProblem:
    """Why the order on a line of the file was left out; `column` is empty where no single one is to blame."""

    line: int
    column: str
    reason: Message
