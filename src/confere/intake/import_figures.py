"""The figures that every import of files has, whatever they hold."""

from __future__ import annotations

from dataclasses import dataclass

from confere.errors import Message
from confere.sales.declarations import Declaration


@dataclass(slots=True)
class ImportFigures:
    """`unreadable` counts files, or lines of a list of orders.

    `declared` is what a person declared complete by the import, `not_declared` why that was not written down.
    """

    unreadable: int = 0
    seconds: float = 0.0
    stopped: bool = False
    declared: tuple[Declaration, ...] = ()
    not_declared: Message | None = None
