"""How SQLite answers what the archive asks: the tables and indexes of each statement, without running it again."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

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
    connection = transaction.connection
    watched = _Watched(connection)
    transaction.connection = watched  # type: ignore[assignment]
    try:
        ask(transaction)
    finally:
        transaction.connection = connection
    return tuple(_steps(transaction, statement, parameters) for statement, parameters in watched.statements)


class _Watched:
    """A connection that gathers what is run on it, as SQLite gets it."""

    def __init__(self, connection: Any) -> None:
        self._connection = connection
        self.statements: list[tuple[str, Any]] = []

    def exec_driver_sql(self, sql: str, parameters: Any = ()) -> Any:
        self.statements.append((sql, parameters))
        return self._connection.exec_driver_sql(sql, parameters)

    def execute(self, statement: Any, parameters: Any = None) -> Any:
        result = self._connection.execute(statement, parameters)
        self.statements.append((result.context.statement, result.context.parameters[0]))
        return result


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
