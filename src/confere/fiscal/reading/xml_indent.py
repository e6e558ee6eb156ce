"""XML as people read it on a screen: decoded as it declares and, on request, indented; never the bytes to keep."""

from __future__ import annotations

import re
from itertools import islice
from typing import Final

from lxml import etree

from confere.fiscal.reading.xml import DEFAULT_LIMIT, MOST_MARKS, marks_of

_DECLARATION: Final = re.compile(r"\ufeff?\s*(<\?xml\s[^>]{0,200}\?>)")
_ENCODING: Final = re.compile(rb"""<\?xml[^>]{0,200}?encoding\s*=\s*["']([A-Za-z0-9._-]{1,40})["']""")
_COSTLY: Final = frozenset({"punycode", "idna"})  # to decode these takes the square of their length
_IS_DEEP: Final = etree.XPath(f"boolean({'/*' * 40})")  # each line would begin with as many spaces
_MOST_BEFORE: Final = 100  # comments before the root: writing them costs their square
_MARKS: Final = (
    (b"\xef\xbb\xbf", "utf-8-sig"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
    (b"<\0", "utf-16-le"),
    (b"\0<", "utf-16-be"),
)


def text_of(data: bytes) -> str:
    """`data` as text, by its mark, its declaration or the likeliest encoding. Never fails: what cannot be decoded
    is replaced.
    """
    for encoding in _candidates(data):
        try:
            return data.decode(encoding)
        except (UnicodeDecodeError, LookupError):
            continue
    return data.decode("windows-1252", "replace")


def indented(data: bytes) -> str:
    """`data` as text with one element a line. What is not well-formed comes back as `text_of` gives it.

    So does what is too large to be read: its tree would fill the memory, and its lines be of no help.
    """
    text = text_of(data)
    if len(data) >= DEFAULT_LIMIT:
        return text
    declaration = _DECLARATION.match(text)
    body = text[declaration.end() :] if declaration else text.removeprefix("\ufeff")
    encoded = body.strip(" \t\r\n\0").encode("utf-8", "replace")
    if marks_of(encoded) > MOST_MARKS:
        return text
    try:
        root = etree.fromstring(encoded, _parser())
        tree = root.getroottree()
        if _IS_DEEP(root) or sum(1 for _ in islice(root.itersiblings(preceding=True), _MOST_BEFORE)) == _MOST_BEFORE:
            return text
        etree.indent(tree, "  ")
        found: str = etree.tostring(tree, encoding="unicode")
    except (etree.LxmlError, ValueError, LookupError, AssertionError, RecursionError):
        return text
    return f"{declaration[1]}\n{found}" if declaration else found


def _candidates(data: bytes) -> list[str]:
    found = [encoding for mark, encoding in _MARKS if data.startswith(mark)][:1]
    declared = _ENCODING.search(data[:400])
    if declared is not None and not found:
        name = declared[1].decode("ascii")
        found += [] if name.lower() in _COSTLY else [name]
    return [*found, "utf-8"]


def _parser() -> etree.XMLParser:
    """As hard as the one that reads papers, but nothing is left out of what is shown."""
    return etree.XMLParser(
        encoding="utf-8",
        resolve_entities=False,
        load_dtd=False,
        dtd_validation=False,
        no_network=True,
        huge_tree=False,
        recover=False,
        remove_blank_text=True,
        strip_cdata=False,
    )
