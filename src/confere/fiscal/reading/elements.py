"""Walking an XML tree by local names, whatever namespace or prefix its author used."""

from __future__ import annotations

from typing import Final

from lxml.etree import _Element

_MOST_NAMES: Final = 20_000


class _LocalNames(dict[str, str]):
    """Local names by lxml's `{namespace}name`, remembered: a lookup costs a fifth of cutting the string.

    A processing instruction's tag is a function; its local name is empty.
    """

    def __missing__(self, tag: object) -> str:
        if not isinstance(tag, str):
            return ""
        name = tag.rpartition("}")[2]
        if len(self) < _MOST_NAMES:  # a hostile file must not fill the memory for good
            self[tag] = name
        return name


LOCAL: Final = _LocalNames()


def local_name(element: _Element) -> str:
    """The name of `element` without its namespace."""
    return LOCAL[element.tag]


def namespace(element: _Element) -> str:
    """The namespace of `element`, empty where it has none."""
    return element.tag[1:].rpartition("}")[0] if element.tag[:1] == "{" else ""


def children(element: _Element) -> dict[str, _Element]:
    """The children of `element` by local name, in one pass; of several with one name, the last."""
    return {LOCAL[child.tag]: child for child in element}


def texts(element: _Element | None) -> dict[str, str]:
    """The texts of the children of `element` by local name, trimmed, in one pass; empty ones are left out.

    This is the reader's main tool: a group of fields costs one look at each of them.
    """
    found: dict[str, str] = {}
    if element is None:
        return found
    for child in element:
        value = child.text
        if value and (value := value.strip()):
            found[LOCAL[child.tag]] = value
    return found


def texts_within(element: _Element, tags: tuple[str, ...]) -> dict[str, str]:
    """The first text of each of `tags` (`{*}name`) at any depth of `element`, by local name.

    For a few fields of a group with many, spread over two levels: lxml looks at the others in C.
    """
    found: dict[str, str] = {}
    for leaf in element.iter(*tags):
        value = leaf.text
        if value and (value := value.strip()):
            found.setdefault(LOCAL[leaf.tag], value)
    return found


def child(element: _Element, name: str) -> _Element | None:
    """The first child called `name`."""
    for candidate in element:
        if LOCAL[candidate.tag] == name:
            return candidate
    return None


def own_text(element: _Element) -> str | None:
    """The trimmed text of `element`, None where it is empty."""
    return (element.text or "").strip() or None
