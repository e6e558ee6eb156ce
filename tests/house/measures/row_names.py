"""Which expressions of a module are rows of SQL: followed through names, comprehensions and the module's functions."""

from __future__ import annotations

import ast
from enum import StrEnum
from typing import Final


class Holds(StrEnum):
    """What an expression is: one row, or many."""

    ROW = "row"
    ROWS = "rows"


_ONE: Final = frozenset({"first", "fetchone", "one", "one_or_none"})
_MANY: Final = frozenset({"fetch", "fetch_in", "rows", "fetchall", "fetchmany", "all", "execute", "exec_driver_sql"})
_GIVERS: Final = ("transaction", "connection", "cursor", "driver", "reader", "database")
_SAME: Final = frozenset({"list", "tuple", "sorted", "iter", "reversed", "set", "dict"})
_COLLECTIONS: Final = frozenset({"list", "tuple", "Sequence", "Iterator", "Iterable", "Collection"})
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


class RowNames:
    """What the expressions of a module hold; names are told apart by the function that they are in.

    `by_name`: whatever is called `row` is one.
    """

    def __init__(self, syntax: ast.Module, *, by_name: bool) -> None:
        self._by_name = by_name
        self._knows_rows = _knows_rows(syntax)
        self._returns = {
            node.name: self._declared(node.returns) for node in ast.walk(syntax) if isinstance(node, _FUNCTIONS)
        }
        self._scopes: dict[int, int] = {}
        self._names: dict[tuple[int, str], Holds] = {}
        self._starred = {id(node.value) for node in ast.walk(syntax) if isinstance(node, ast.Starred)}
        self._read(syntax, 0)

    def is_starred(self, node: ast.expr) -> bool:
        return id(node) in self._starred

    def holds(self, node: ast.expr) -> Holds | None:
        """Whether this is a row, rows, or neither as far as the module shows."""
        if isinstance(node, ast.Name):
            by_name = Holds.ROW if self._by_name and node.id == "row" else None
            return self._names.get((self._scopes.get(id(node), 0), node.id), by_name)
        if isinstance(node, ast.Call):
            return self._call(node)
        if isinstance(node, ast.Subscript):
            inner = self.holds(node.value)
            if inner is Holds.ROWS:
                return Holds.ROWS if isinstance(node.slice, ast.Slice) else Holds.ROW
            return None
        if isinstance(node, ast.IfExp):
            return self.holds(node.body) or self.holds(node.orelse)
        if isinstance(node, ast.BoolOp):
            return next(filter(None, map(self.holds, node.values)), None)
        if isinstance(node, ast.ListComp | ast.GeneratorExp | ast.SetComp):
            return Holds.ROWS if self.holds(node.elt) is Holds.ROW else None
        return self.holds(node.value) if isinstance(node, ast.NamedExpr) else None

    def _call(self, node: ast.Call) -> Holds | None:
        if isinstance(node.func, ast.Name):
            if node.func.id in _SAME:
                return self.holds(node.args[0]) if node.args else None
            if node.func.id == "next" and node.args:
                return Holds.ROW if self.holds(node.args[0]) is Holds.ROWS else None
            return self._returns.get(node.func.id)
        if not isinstance(node.func, ast.Attribute):
            return None
        giver = node.func.value
        name = giver.id if isinstance(giver, ast.Name) else giver.attr if isinstance(giver, ast.Attribute) else ""
        gives = name.lstrip("_").endswith(_GIVERS) or self.holds(giver) is Holds.ROWS
        if gives and node.func.attr in _ONE:
            return Holds.ROW
        if gives and node.func.attr in _MANY:
            return Holds.ROWS
        return self._returns.get(node.func.attr) if name in ("self", "cls") else None

    def _read(self, node: ast.AST, scope: int) -> None:
        if isinstance(node, _FUNCTIONS):
            scope = id(node)
            for argument in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs):
                self._bind(argument.arg, scope, self._declared(argument.annotation))
        if isinstance(node, ast.Name):
            self._scopes[id(node)] = scope
        if isinstance(node, ast.ListComp | ast.GeneratorExp | ast.SetComp | ast.DictComp):
            for part in node.generators:  # what they bind is read before in the text
                self._read(part, scope)
        for child in ast.iter_child_nodes(node):
            self._read(child, scope)
            if isinstance(node, ast.For | ast.comprehension) and child is node.iter:
                self._loop(node, scope)
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            self._bind(node.targets[0].id, scope, self.holds(node.value))
        elif isinstance(node, ast.NamedExpr):
            self._bind(node.target.id, scope, self.holds(node.value))

    def _loop(self, node: ast.For | ast.comprehension, scope: int) -> None:
        if isinstance(node.target, ast.Name) and self.holds(node.iter) is Holds.ROWS:
            self._bind(node.target.id, scope, Holds.ROW)

    def _bind(self, name: str, scope: int, holds: Holds | None) -> None:
        if holds is not None:
            self._names[scope, name] = holds

    def _declared(self, annotation: ast.expr | None) -> Holds | None:
        """What an annotation says: `Row` itself, or a collection of them."""
        if annotation is None or not self._knows_rows:
            return None
        parts = [part for part in ast.walk(annotation) if isinstance(part, ast.Name | ast.Attribute)]
        names = {part.id if isinstance(part, ast.Name) else part.attr for part in parts}
        if "Row" not in names:
            return None
        return Holds.ROWS if names & _COLLECTIONS else Holds.ROW


def _knows_rows(syntax: ast.Module) -> bool:
    """Whether `Row` in this module is the transaction's or SQLAlchemy's, not another one's."""
    return any(
        isinstance(node, ast.ImportFrom)
        and (node.module or "").endswith(("transaction", "sqlalchemy"))
        and any(alias.name == "Row" for alias in node.names)
        for node in ast.walk(syntax)
    )
