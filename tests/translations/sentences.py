"""Finds the sentences in the sources, calls of `message`, `t`, `N_`, `Message` and the like; what is wrong with one.

The text of one that counts, `ngettext`, `nmessage` or `NN_`, is its id: both forms.
"""

from __future__ import annotations

import ast
import string
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from confere.errors import NC_, NN_, PLURAL_START

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src" / "confere"
LOCALES = ROOT / "resources" / "locale"
# `t` and `message` say something, so their arguments are checked; `N_` marks, `Message` is built by machines.
SPEAKING = ("message", "t", "nmessage", "ngettext")
MARKING = ("N_", "NC_", "NN_", "Message")
COUNTING = ("nmessage", "ngettext", "NN_")
_COUNTED = ("n", "count")  # what a sentence that counts is given by its number
_MODULES = ("errors", "messages")  # `messages.t("…")` counts, `email.message("…")` does not
_FILLED_LATER = {"BadAnswer": "request"}  # what its catcher adds to a sentence given to this class


@dataclass(frozen=True, slots=True)
class Call:
    """One call that carries a sentence; `text` is None when the sentence is no literal."""

    line: int
    function: str
    text: str | None
    params: frozenset[str] | None  # None: some come by `**`
    later: str | None = None  # the one parameter that is added by whoever catches the sentence


@cache
def calls(source: str) -> tuple[Call, ...]:
    """Every call of ours in a module, nested ones too, in the order of the text."""
    return tuple(_calls(source))


def _calls(source: str) -> Iterator[Call]:
    found = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    later = {id(inner): added for node in found if (added := _added(node)) for inner in ast.walk(node)}
    for node in sorted(found, key=lambda node: (node.lineno, node.col_offset)):
        function = _name(node.func)
        if function is None:
            continue
        text = _in_context(node) if function == "NC_" else _forms(node) if function in COUNTING else _text(node)
        names = [keyword.arg for keyword in node.keywords]
        params = None if None in names else frozenset(name for name in names if name is not None)
        yield Call(node.lineno, function, text, params, later.get(id(node)))


def placeholders(text: str) -> frozenset[str]:
    """Names in braces. Raises `ValueError` when the braces do not match."""
    fields = (name for _, name, _, _ in string.Formatter().parse(text) if name is not None)
    return frozenset(name.split(".")[0].split("[")[0] for name in fields)


def forms(text: str) -> tuple[str, ...]:
    """The forms of a sentence; one of a sentence that does not count."""
    return tuple(text.split(PLURAL_START))


def wrong_calls(folder: Path) -> list[str]:
    """Calls that cannot be translated, or whose placeholders and arguments do not agree.

    A `message` without any argument is a template, which its room fills later. One in `BadAnswer` may lack `request`.
    """
    problems = []
    for path in sorted(folder.rglob("*.py")):
        for call in calls(path.read_text(encoding="utf-8")):
            where = f"{path.relative_to(folder).as_posix()}:{call.line}: {call.function}"
            if call.text is None:
                if call.function != "Message":
                    problems.append(f"{where}: the first argument is not a literal")
            elif call.function in COUNTING and len({placeholders(form) for form in forms(call.text)}) > 1:
                problems.append(f"{where}: {forms(call.text)[0]!r} has other placeholders than its plural")
            elif call.function in SPEAKING:
                problems += [f"{where}: {problem}" for problem in _disagreement(call, call.text)]
    return problems


def _name(function: ast.expr) -> str | None:
    match function:
        case ast.Name(id=name) if name in (*SPEAKING, *MARKING):
            return name
        case ast.Attribute(value=ast.Name(id=module), attr=name) if module in _MODULES:
            return name if name in (*SPEAKING, *MARKING) else None
    return None


def _text(node: ast.Call) -> str | None:
    match node.args:
        case [ast.Constant(value=str(text)), *_]:
            return text
        case [ast.Call() as inner, *_] if _name(inner.func) == "NC_":
            return _in_context(inner)
        case [ast.Call() as inner, *_] if _name(inner.func) == "NN_":
            return _forms(inner)
    return None


def _forms(node: ast.Call) -> str | None:
    one = _text(node)
    match node.args:
        case [_, ast.Constant(value=str(many)), *_] if one and many:
            return NN_(one, many)
    return None


def _in_context(node: ast.Call) -> str | None:
    match node.args:
        case [ast.Constant(value=str(context)), ast.Constant(value=str(text))] if context and text:
            return NC_(context, text)
    return None


def _added(node: ast.Call) -> str | None:
    return _FILLED_LATER.get(node.func.id) if isinstance(node.func, ast.Name) else None


def _disagreement(call: Call, text: str) -> Iterator[str]:
    try:
        named = placeholders(text)
    except ValueError as error:
        yield f"{text!r}: {error}"
        return
    if call.params is None:
        return
    is_template = call.function == "message" and not call.params and call.later is None
    counted = _COUNTED if call.function in COUNTING else ()
    lacking = frozenset() if is_template else named - call.params - {call.later, *counted}
    if lacking:
        yield f"{text!r} is given no {', '.join(sorted(lacking))}"
    if call.params - named:
        yield f"{text!r} has no place for {', '.join(sorted(call.params - named))}"
