"""The small mistakes that a mutant makes: what may stand in the place of one piece of syntax."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Final, NamedTuple, TypeVar

_OPPOSITE: Final[dict[type[ast.cmpop], type[ast.cmpop]]] = {
    ast.Lt: ast.GtE, ast.LtE: ast.Gt, ast.Gt: ast.LtE, ast.GtE: ast.Lt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
_BOUNDARY: Final[dict[type[ast.cmpop], type[ast.cmpop]]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
}  # fmt: skip
_ARITHMETIC: Final[dict[type[ast.operator], type[ast.operator]]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv, ast.FloorDiv: ast.Mult,
}  # fmt: skip
_LONGEST_CODE: Final = 16  # longer strings are texts or SQL, not codes
_LARGEST: Final = 255  # one more of a size of buffers or of a long time is nothing that anybody notices
_EXTREMES: Final = {"min": "max", "max": "min"}
N = TypeVar("N", bound=ast.AST)


class Change(NamedTuple):
    """`text` takes the place of `node`."""

    node: ast.expr | ast.stmt
    what: str
    text: str


def changes_of(node: ast.AST) -> Iterator[Change]:
    """What may become of this piece of syntax; not of what lies within it."""
    for kind, maker in _MAKERS.items():
        if isinstance(node, kind):
            yield from maker(node)


def _compare(node: ast.Compare) -> Iterator[Change]:
    for what, others in (("comparison flipped", _OPPOSITE), ("boundary moved", _BOUNDARY)):
        other = others.get(type(node.ops[0]))
        if other is not None:
            yield Change(node, what, _with(node, partial(_compare_by, other())))


def _compare_by(operator: ast.cmpop, node: ast.Compare) -> None:
    node.ops[0] = operator


def _bool(node: ast.BoolOp) -> Iterator[Change]:
    other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
    yield Change(node, "and / or", f"({_with(node, lambda new: setattr(new, 'op', other))})")


def _unary(node: ast.UnaryOp) -> Iterator[Change]:
    if isinstance(node.op, ast.Not):
        yield Change(node, "not dropped", f"({ast.unparse(node.operand)})")


def _test(node: ast.If | ast.While | ast.IfExp) -> Iterator[Change]:
    if not isinstance(node.test, ast.Compare | ast.Constant) and not (
        isinstance(node.test, ast.UnaryOp) and isinstance(node.test.op, ast.Not)
    ):
        yield Change(node.test, "condition negated", f"not ({ast.unparse(node.test)})")
    if isinstance(node, ast.IfExp):
        swapped = f"({ast.unparse(node.orelse)} if {ast.unparse(node.test)} else {ast.unparse(node.body)})"
        yield Change(node, "branches swapped", swapped)


def _filter(node: ast.comprehension) -> Iterator[Change]:
    for condition in node.ifs:
        yield Change(condition, "filter dropped", "True")


def _constant(node: ast.Constant) -> Iterator[Change]:
    value = node.value
    if isinstance(value, bool):
        yield Change(node, "constant changed", str(not value))
    elif isinstance(value, int | float) and value <= _LARGEST:
        yield Change(node, "constant changed", repr(value + 1))
    elif isinstance(value, str) and value and len(value) <= _LONGEST_CODE and " " not in value:
        yield Change(node, "constant changed", repr(f"{value}x"))


def _return(node: ast.Return) -> Iterator[Change]:
    value = node.value
    if value is None or (isinstance(value, ast.Constant) and value.value is None):
        return
    yield Change(node, "returns nothing", "return None")


def _call(node: ast.Call) -> Iterator[Change]:
    plain = [argument for argument in node.args if not isinstance(argument, ast.Starred)]
    is_extreme = isinstance(node.func, ast.Name) and node.func.id in _EXTREMES  # of which the order says nothing
    is_other = len(plain) >= 2 and ast.unparse(plain[0]) != ast.unparse(plain[1])
    if is_other and len(plain) == len(node.args) and not is_extreme:
        yield Change(node, "arguments swapped", _with(node, _swap_arguments))
    if isinstance(node.func, ast.Name) and node.func.id in _EXTREMES:
        other = ast.Name(_EXTREMES[node.func.id])
        yield Change(node, "min / max", _with(node, lambda new: setattr(new, "func", other)))
    if (isinstance(node.func, ast.Name) and node.func.id == "sorted") or (
        isinstance(node.func, ast.Attribute) and node.func.attr == "sort"
    ):
        yield Change(node, "sort reversed", _with(node, _reverse))


def _swap_arguments(node: ast.Call) -> None:
    node.args[0], node.args[1] = node.args[1], node.args[0]


def _reverse(node: ast.Call) -> None:
    kept = [keyword for keyword in node.keywords if keyword.arg != "reverse"]
    if len(kept) == len(node.keywords):
        kept.append(ast.keyword("reverse", ast.Constant(True)))
    node.keywords = kept


def _arithmetic(node: ast.BinOp) -> Iterator[Change]:
    other = _ARITHMETIC.get(type(node.op))
    texts = (ast.Constant, ast.JoinedStr, ast.List, ast.Tuple)
    has_text = any(
        isinstance(side, texts) and not (isinstance(side, ast.Constant) and isinstance(side.value, int | float))
        for side in (node.left, node.right)
    )
    if other is not None and not has_text:
        yield Change(node, "arithmetic changed", f"({_with(node, lambda new: setattr(new, 'op', other()))})")


def _statement(node: ast.Expr | ast.AugAssign | ast.Raise | ast.Continue | ast.Break) -> Iterator[Change]:
    if not isinstance(node, ast.Expr) or isinstance(node.value, ast.Call):
        yield Change(node, "statement deleted", "pass")


def _with(node: N, change: Callable[[Any], object]) -> str:
    new = copy.deepcopy(node)
    change(new)
    return ast.unparse(new)


_MAKERS: Final[dict[Any, Callable[[Any], Iterator[Change]]]] = {
    ast.Compare: _compare,
    ast.BoolOp: _bool,
    ast.UnaryOp: _unary,
    (ast.If, ast.While, ast.IfExp): _test,
    ast.comprehension: _filter,
    ast.Constant: _constant,
    ast.Return: _return,
    ast.Call: _call,
    ast.BinOp: _arithmetic,
    (ast.Expr, ast.AugAssign, ast.Raise, ast.Continue, ast.Break): _statement,
}
