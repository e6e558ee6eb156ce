"""SQL in the wrong room, and rows read by position instead of by name."""

from __future__ import annotations

import ast
import re
from enum import StrEnum
from typing import Final, NamedTuple

from tests.house.measures.row_names import Holds, RowNames
from tests.house.measures.source import Module, Tree, bare_strings, is_in

ARCHIVE: Final = "confere.archive"
WIDE: Final = 5  # names: fewer are seen to be right beside their SELECT
_STATEMENT: Final = re.compile(
    r"\s*(SELECT\s.+\sFROM\s|SELECT\s+\w+\(|INSERT\s+(OR\s+\w+\s+)?INTO\s|UPDATE\s+\S+\s+SET\s|DELETE\s+FROM\s"
    r"|REPLACE\s+INTO\s|CREATE\s+(UNIQUE\s+|VIRTUAL\s+|TEMP\w*\s+)?(TABLE|INDEX|TRIGGER|VIEW)\s|DROP\s+(TABLE|INDEX)\s"
    r"|ALTER\s+TABLE\s|PRAGMA\s+\w|ATTACH\s|VACUUM\b|WITH\s+(RECURSIVE\s+)?\w+.*\sAS\s*\()",
    re.DOTALL,
)


class Place(NamedTuple):
    """Where something is: the module's name and the line."""

    module: str
    line: int


class Reading(StrEnum):
    """How a row is read by position: `row[2]`, `Value(*row)`, or taken apart into five names and more."""

    INDEX = "index"
    STAR = "star"
    UNPACKING = "unpacking"


class PositionalRead(NamedTuple):
    place: Place
    how: Reading

    @property
    def is_in_archive(self) -> bool:
        return is_in(self.place.module, ARCHIVE)


def sql_literals(tree: Tree, room: str = ARCHIVE) -> list[Place]:
    """Strings that are SQL statements, outside of the room for them; docstrings are none."""
    return [place for module in tree if not is_in(module.name, room) for place in _statements(module)]


def positional_reads(tree: Tree) -> list[PositionalRead]:
    """Rows of SQL read by position.

    A row is what the archive's transaction or a connection of SQL gives, what a parameter or a function of the module
    declares as `Row`, and in the archive whatever is called `row`.
    """
    return [read for module in tree for read in _reads(module)]


def _statements(module: Module) -> list[Place]:
    quiet = {id(string.value) for string in bare_strings(module.syntax)}
    whole = {id(part) for node in ast.walk(module.syntax) if isinstance(node, ast.JoinedStr) for part in node.values}
    return [
        Place(module.name, node.lineno)
        for node in ast.walk(module.syntax)
        if isinstance(node, ast.Constant | ast.JoinedStr)
        and id(node) not in quiet | whole
        and _STATEMENT.match(_text(node))
    ]


def _text(node: ast.Constant | ast.JoinedStr) -> str:
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else ""
    return "".join(_text(part) if isinstance(part, ast.Constant) else "x" for part in node.values)


def _reads(module: Module) -> list[PositionalRead]:
    rows = RowNames(module.syntax, by_name=is_in(module.name, ARCHIVE))
    reads: list[PositionalRead] = []

    def add(node: ast.expr, how: Reading) -> None:
        reads.append(PositionalRead(Place(module.name, node.lineno), how))

    for node in ast.walk(module.syntax):
        if isinstance(node, ast.Call):
            for argument in node.args:
                if isinstance(argument, ast.Starred) and rows.holds(_sliced(argument.value)) is Holds.ROW:
                    add(argument, Reading.STAR)
        elif isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
            if _is_position(node.slice) and rows.holds(node.value) is Holds.ROW and not rows.is_starred(node):
                add(node, Reading.INDEX)
        elif isinstance(node, ast.For | ast.comprehension):
            if rows.holds(node.iter) is Holds.ROWS and _is_wide(node.target):
                add(node.target, Reading.UNPACKING)
        elif isinstance(node, ast.Assign) and rows.holds(node.value) is Holds.ROW and _is_wide(node.targets[0]):
            add(node.targets[0], Reading.UNPACKING)
    return sorted(reads)


def _sliced(node: ast.expr) -> ast.expr:
    return node.value if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice) else node


def _is_position(node: ast.expr) -> bool:
    if isinstance(node, ast.UnaryOp):
        node = node.operand
    return isinstance(node, ast.Slice) or (isinstance(node, ast.Constant) and isinstance(node.value, int))


def _is_wide(target: ast.expr) -> bool:
    return isinstance(target, ast.Tuple) and len(target.elts) >= WIDE
