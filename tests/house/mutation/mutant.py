"""A mutant: one line of one module, changed; and all that can be made of a module."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final, NamedTuple

from tests.house.measures.source import Module, bare_strings
from tests.house.mutation.changes import changes_of

_TEXTS: Final = frozenset(
    {"message", "N_", "NC_", "t", "_log", "getLogger", "cast", "TypeVar", "NewType", "gettext", "ngettext"}
)
_LOGGERS: Final = frozenset({"_log", "log", "logger", "logging", "warnings"})
_NAMES: Final = frozenset({"__slots__", "__all__", "_log"})
_QUIET_KEYWORDS: Final = frozenset({"strict", "slots", "frozen", "exc_info", "stacklevel"})


class Mutant(NamedTuple):
    """What is changed (`what`), where, and the line before and after; `text` is the whole module then."""

    module: str
    path: str
    line: int
    what: str
    before: str
    after: str
    text: str
    text_before: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line} ({self.what})\n  - {self.before.strip()}\n  + {self.after.strip()}"


def mutants_of(module: Module) -> list[Mutant]:
    """Every mutant of a module, in the order of its lines; a few are no code (`is_code`)."""
    lines = module.text.splitlines(keepends=True)
    made: dict[str, Mutant] = {}
    for node in _code(module.syntax):
        for change in changes_of(node):
            start, end = change.node.lineno, change.node.end_lineno
            if start != end or change.node.end_col_offset is None:
                continue
            line = lines[start - 1].encode()
            changed = line[: change.node.col_offset] + change.text.encode() + line[change.node.end_col_offset :]
            after = changed.decode()
            text = "".join([*lines[: start - 1], after, *lines[start:]])
            if after != lines[start - 1]:
                path = f"src/{module.path.as_posix()}"
                mutant = Mutant(module.name, path, start, change.what, lines[start - 1], after, text, module.text)
                made.setdefault(text, mutant)
    return sorted(made.values(), key=lambda mutant: (mutant.line, mutant.what, mutant.after))


def is_code(mutant: Mutant) -> bool:
    """Whether Python reads it, and as something else than before."""
    try:
        return ast.dump(ast.parse(mutant.text)) != ast.dump(ast.parse(mutant.text_before))
    except SyntaxError:
        return False


def _code(syntax: ast.Module) -> Iterator[ast.AST]:
    """The nodes whose change somebody could see: no docstrings, annotations, texts, logs or what is for types only."""
    quiet = {id(string) for string in bare_strings(syntax)}
    waiting: list[ast.AST] = [syntax]
    while waiting:
        node = waiting.pop()
        if id(node) in quiet or _is_quiet(node):
            continue
        yield node
        waiting += _children(node)


def _is_quiet(node: ast.AST) -> bool:
    if isinstance(node, ast.Import | ast.ImportFrom | ast.JoinedStr):
        return True
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return node.name == "__repr__" or any(ast.unparse(one).endswith("overload") for one in node.decorator_list)
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        return _called(node.value) in _LOGGERS
    if isinstance(node, ast.Call):
        return _called(node) in _TEXTS
    if isinstance(node, ast.If):
        return "TYPE_CHECKING" in ast.unparse(node.test)
    if isinstance(node, ast.Assign | ast.AnnAssign):
        target = node.targets[0] if isinstance(node, ast.Assign) else node.target
        return isinstance(target, ast.Name) and target.id in _NAMES
    return isinstance(node, ast.keyword) and node.arg in _QUIET_KEYWORDS


def _children(node: ast.AST) -> Iterator[ast.AST]:
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list", "bases", "type_params"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield child


def _called(node: ast.Call) -> str:
    """The first name of what is called: `_log` of `_log.info(…)`."""
    function = node.func
    while isinstance(function, ast.Attribute):
        function = function.value
    return function.id if isinstance(function, ast.Name) else ""
