"""How SQLite answers what the archive asks: the tables and indexes of each statement, without running it again."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from sqlalchemy import event

from confere.archive.transaction import Transaction

# What SQLite's versions say alike; subqueries, co-routines and Bloom filters are worded and placed by each its own way.
_STEP = re.compile(
    r"(?P<way>SCAN|SEARCH) (?P<table>\S+)"
    r"(?: USING (?:(?P<automatic>AUTOMATIC )?(?:PARTIAL )?(?P<covering>COVERING )?INDEX (?P<index>\w+)"
    r"|(?P<key>INTEGER PRIMARY KEY|PRIMARY KEY))| (?P<virtual>VIRTUAL TABLE) INDEX \S*)?"
    r"(?: (?P<terms>\(.*\)))?(?: LEFT-JOIN)?"
)
_SORT = "USE TEMP B-TREE FOR "


def plans(transaction: Transaction, ask: Callable[[Transaction], object]) -> tuple[tuple[str, ...], ...]:
    """The steps of every statement that `ask` runs, one tuple for each statement in the order in which they ran."""
    statements: list[tuple[str, Any]] = []

    def gather(_connection: Any, _cursor: Any, statement: str, parameters: Any, *_: Any) -> None:
        statements.append((statement, parameters))

    event.listen(transaction.connection, "before_cursor_execute", gather)
    try:
        ask(transaction)
    finally:
        event.remove(transaction.connection, "before_cursor_execute", gather)
    return tuple(_steps(transaction, statement, parameters) for statement, parameters in statements)


def _steps(transaction: Transaction, statement: str, parameters: Any) -> tuple[str, ...]:
    details = transaction.fetch(f"EXPLAIN QUERY PLAN {statement}", parameters)
    return tuple(step for _, _, _, detail in details if (step := _step(detail)))


def _step(detail: str) -> str:
    if detail.startswith(_SORT):
        return f"sort {detail.removeprefix(_SORT)}"
    step = _STEP.fullmatch(detail)
    if step is None or step["table"].startswith("("):  # a subquery, which each version calls otherwise
        return ""
    words = (
        step["way"],
        step["table"],
        "automatic" if step["automatic"] else "",
        "covering" if step["covering"] else "",
        step["index"] or step["key"] or step["virtual"] or "",
        step["terms"] or "",
    )
    return " ".join(word for word in words if word)
