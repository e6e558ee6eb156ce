"""Flattening a group of the paper into the paths and texts of its leaves, so that nothing written is lost."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from lxml.etree import _Element

from confere.fiscal.detail import Fields
from confere.fiscal.reading.elements import LOCAL

_LONGEST_PATH: Final = 200  # a deep tree of long names must not cost its depth again for each leaf
_MOST_ATTRIBUTES: Final = 100  # of one element, which has three at most; lxml searches for each from the first one on


def leaves(group: _Element, *, skip: Collection[str] = ()) -> Fields:
    """`(path, text)` of every leaf and attribute inside `group`, in the order of the paper.

    Paths begin below `group`; a group that is a leaf itself stands under its own name, and the attributes of
    `group` as `@name`. Children of `group` called as in `skip` are left out. Empty leaves say nothing.
    """
    if not len(group):
        text = (group.text or "").strip()
        return (*attributes(group), *(((LOCAL[group.tag], text),) if text else ()))
    found: list[tuple[str, str]] = [*attributes(group)]
    waiting = [(child, LOCAL[child.tag]) for child in reversed(group) if LOCAL[child.tag] not in skip]
    while waiting:
        element, path = waiting.pop()
        if not path:  # a processing instruction
            continue
        found += attributes(element, f"{path}/")
        text = (element.text or "").strip()
        if text:
            found.append((path, text))
        if len(element):
            waiting += [
                (child, f"{path}/{name}"[-_LONGEST_PATH:]) for child in reversed(element) if (name := LOCAL[child.tag])
            ]
    return tuple(found)


def attributes(element: _Element, prefix: str = "") -> Fields:
    """The attributes of `element` as `@name`, after `prefix`; empty ones and those after the hundredth say nothing."""
    names = element.keys()
    if not names:  # nearly always
        return ()
    return tuple(
        (f"{prefix}@{LOCAL[str(name)]}"[-_LONGEST_PATH:], value)
        for name in names[:_MOST_ATTRIBUTES]
        if (value := (element.get(name) or "").strip())
    )
