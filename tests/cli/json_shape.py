"""The shape of a JSON answer: keys in their order and the kinds of the values, without the values themselves.

An object becomes its keys, in order, each with the shape of its value. A list becomes a list of one shape, which holds
for all of its elements; a key that some of them lack ends with `?`. Anything else becomes the name of its kind, and
several kinds in one place stand side by side (`date | null`). Keys that are values themselves (`2026-10`, an access
key) become their kind too. So a shape says the same whatever day it is and wherever the data folder lies.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

Shape = Any  # a dict of shapes, a list of at most one shape, or a str of kinds with `|` between them

KINDS: Final[tuple[tuple[str, re.Pattern[str]], ...]] = (
    ("empty string", re.compile(r"")),
    ("decimal", re.compile(r"-?\d+\.\d{2,10}", re.ASCII)),
    ("date", re.compile(r"\d{4}-[01]\d-[0-3]\d", re.ASCII)),
    ("month", re.compile(r"20\d\d-[01]\d", re.ASCII)),
    ("timestamp Z", re.compile(r"\d{4}-[01]\d-[0-3]\dT\d\d:\d\d:\d\d(\.\d+)?Z", re.ASCII)),
    ("timestamp offset", re.compile(r"\d{4}-[01]\d-[0-3]\dT\d\d:\d\d:\d\d(\.\d+)?[+-]\d\d:\d\d", re.ASCII)),
    ("timestamp without zone", re.compile(r"\d{4}-[01]\d-[0-3]\dT\d\d:\d\d:\d\d(\.\d+)?", re.ASCII)),
    ("access key", re.compile(r"\d{6}[0-9A-Z]{12}\d{26}", re.ASCII)),
    ("sha256", re.compile(r"[0-9a-f]{64}", re.ASCII)),
    ("CPF", re.compile(r"\d{11}", re.ASCII)),
    ("CNPJ", re.compile(r"[0-9A-Z]{12}\d{2}", re.ASCII)),
)
# Kinds of which a key is a value of the moment rather than a name that programs know.
_KINDS_OF_KEYS: Final = ("date", "month", "access key", "sha256", "CPF", "CNPJ")
DISORDER: Final = "(keys in more than one order)"

# What a progress line has depends on how fast the machine is: either of these is right at any time.
_TIMED: Final = {"total": ("int", "null"), "remaining": ("float", "null")}
# And so does whether a hub is silent for long enough that it is said.
_OF_SILENCE: Final = ("The hub does not answer; still trying…", "The hub answers again.")


def shape_of(value: object) -> Shape:
    """The shape of a value that `json.loads` gave."""
    return _Seen([value]).shape()


def shape_of_lines(text: str) -> dict[str, Shape]:
    """The shapes of JSON lines by their `type`, without what hangs on the machine's speed."""
    found: dict[str, _Seen] = {}
    for line in text.splitlines():
        value = json.loads(line)
        if value["type"] == "note" and value["message"]["id"] in _OF_SILENCE:
            continue
        found.setdefault(value["type"], _Seen()).add(value)
    if "progress" in found:
        for name, kinds in _TIMED.items():
            seen = found["progress"].values.get(name)
            if seen is not None and seen.kinds <= set(kinds):
                seen.kinds.update(kinds)
    return {name: found[name].shape() for name in sorted(found)}


def as_text(shape: Shape) -> str:
    """A shape for a file: one line a key, so that a difference is read at once."""
    return json.dumps(shape, ensure_ascii=False, indent=1)


class _Seen:
    """What was seen in one place of answers: plain values by their kind, objects, and lists."""

    def __init__(self, values: Iterable[object] = ()) -> None:
        self.kinds: set[str] = set()
        self.objects = 0
        self.values: dict[str, _Seen] = {}  # of the objects, by key, in the keys' order
        self.times: dict[str, int] = {}  # in how many objects a key was
        self.in_disorder = False
        self.items: _Seen | None = None  # of the lists
        for value in values:
            self.add(value)

    def add(self, value: object) -> None:
        match value:
            case dict():
                self._add_object(value)
            case list():
                self.items = self.items or _Seen()
                for entry in value:
                    self.items.add(entry)
            case bool():
                self.kinds.add("bool")
            case None:
                self.kinds.add("null")
            case int() | float():
                self.kinds.add(type(value).__name__)
            case str():
                self.kinds.add(_kind(value))
            case _:
                raise TypeError(value)

    def _add_object(self, value: Mapping[str, object]) -> None:
        self.objects += 1
        names = list(dict.fromkeys(map(_key, value)))
        order = list(self.values)
        self.in_disorder |= [name for name in order if name in names] != [name for name in names if name in order]
        place = 0
        for name in names:
            self.times[name] = self.times.get(name, 0) + 1
            if name in self.values:
                place = order.index(name) + 1
            else:
                order.insert(place, name)
                place += 1
        self.values = {name: self.values.get(name) or _Seen() for name in order}
        for key, entry in value.items():
            self.values[_key(key)].add(entry)

    def shape(self) -> Shape:
        kinds = " | ".join(sorted(self.kinds))
        shapes: list[Shape] = []
        if self.objects:
            shapes.append(self._object())
        if self.items is not None:
            inside = self.items.shape()
            shapes.append([] if inside == "" else [inside])
        if not shapes:
            return kinds
        if len(shapes) == 1 and not kinds:
            return shapes[0]
        return {"(either)": [*shapes, *([kinds] if kinds else [])]}

    def _object(self) -> dict[str, Shape]:
        made = {
            name if self.times[name] == self.objects else f"{name}?": seen.shape() for name, seen in self.values.items()
        }
        return {DISORDER: "", **made} if self.in_disorder else made


def _key(key: str) -> str:
    kind = _kind(key)
    return f"<{kind}>" if kind in _KINDS_OF_KEYS else key


def _kind(text: str) -> str:
    for name, pattern in KINDS:
        if pattern.fullmatch(text) and _CHECKS.get(name, _any)(text):
            return name
    return "string"


def _check_digits(text: str, weights: Sequence[Sequence[int]]) -> bool:
    for row in weights:
        rest = sum((ord(sign) - 48) * weight for sign, weight in zip(text, row, strict=False)) % 11
        if ord(text[len(row)]) - 48 != (0 if rest < 2 else 11 - rest):
            return False
    return True


def _is_cpf(text: str) -> bool:
    return _check_digits(text, (range(10, 1, -1), range(11, 1, -1)))


def _is_cnpj(text: str) -> bool:
    return _check_digits(text, ((5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2), (6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2)))


def _any(text: str) -> bool:
    return True


_CHECKS: Final[Mapping[str, Callable[[str], bool]]] = {"CPF": _is_cpf, "CNPJ": _is_cnpj}
