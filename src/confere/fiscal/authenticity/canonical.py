"""Canonical XML of a part of a tree, as a signature sees it: alone, or with what it inherits from around it."""

from __future__ import annotations

from copy import deepcopy
from typing import Final

from lxml import etree
from lxml.etree import _Element

_XML: Final = "{http://www.w3.org/XML/1998/namespace}"

INCLUSIVE: Final = "http://www.w3.org/TR/2001/REC-xml-c14n-20010315"
EXCLUSIVE: Final = "http://www.w3.org/2001/10/xml-exc-c14n#"
COMMENTS: Final = ("#WithComments", "WithComments")
"""How the names of the two that keep comments end; the trees here hold none, and a reference by Id covers none."""

_MOST_NAMES: Final = 40
"""Namespace declarations in scope: a canonical form costs their square at every element. Real papers have a few."""
_MANY_ATTRIBUTES: Final = etree.XPath("boolean(descendant-or-self::*[@*[201]])")  # sorted at the cost of their square

_METHODS: Final = {
    INCLUSIVE: False,
    INCLUSIVE + COMMENTS[0]: False,
    EXCLUSIVE: True,
    EXCLUSIVE + COMMENTS[1]: True,
}


# For our own writing, read back.
_PARSER: Final = etree.XMLParser(resolve_entities=False, load_dtd=False, no_network=True, huge_tree=False)


def is_known(algorithm: str) -> bool:
    """Whether `algorithm` names a canonical form that this module writes.

    Source: W3C Canonical XML 1.0 (RFC 3076); W3C Exclusive XML Canonicalization 1.0 (RFC 3741).
    """
    return algorithm in _METHODS


def is_crowded(element: _Element) -> bool:
    """Whether `element` is built so that its canonical form would cost the square of its size.

    Source: a rule of this program, no law: a bound on the work that a hostile file can ask for.
    """
    scope = len(element.nsmap)
    for event, _ in etree.iterwalk(element, events=("start-ns", "end-ns")):
        scope += 1 if event == "start-ns" else -1
        if scope > _MOST_NAMES:
            return True
    return bool(_MANY_ATTRIBUTES(element))


def alone(element: _Element, algorithm: str, prefixes: tuple[str, ...] = ()) -> bytes | None:
    """The canonical form of `element` as the root of a document: of the namespaces around it only those in use.

    None where it has no canonical form at all. `prefixes` are the exclusive form's InclusiveNamespaces.
    Canonicalising inside the tree would write a spurious `xmlns=""` into its children, hence the copy.

    Source: W3C Canonical XML 1.0 (RFC 3076).
    """
    return _write(deepcopy(element), algorithm, prefixes)


def inherits(element: _Element) -> bool:
    """Whether more than a default namespace is in scope at `element`: then `alone` and `in_place` can differ.

    Source: W3C Canonical XML 1.0 (RFC 3076) (namespaces and `xml:` attributes in scope).
    """
    scope = element.nsmap
    return len(scope) > 1 or (len(scope) == 1 and None not in scope) or _inherited_attributes(element) != {}


def in_place(element: _Element, algorithm: str, prefixes: tuple[str, ...] = ()) -> bytes | None:
    """The canonical form of `element` where it stands: every namespace and `xml:` attribute in scope is its own.

    Source: W3C Canonical XML 1.0 (RFC 3076) (of a document subset).
    """
    # Written out, lxml gives the root every namespace in scope, used or not.
    try:
        copied = etree.fromstring(etree.tostring(element, with_tail=False), _PARSER)
    except etree.XMLSyntaxError:  # an entity in an attribute, for example
        return None
    for name, value in _inherited_attributes(element).items():
        if copied.get(name) is None:
            copied.set(name, value)
    return _write(copied, algorithm, prefixes)


def in_paper(element: _Element, paper: _Element, algorithm: str, prefixes: tuple[str, ...] = ()) -> bytes | None:
    """As `in_place`, with nothing around `paper`, which `element` is a part of.

    Source: W3C Canonical XML 1.0 (RFC 3076) (of a document subset).
    """
    steps: list[int] = []
    here: _Element | None = element
    while here is not None and here is not paper:
        above = here.getparent()
        if above is not None:
            steps.append(above.index(here))
        here = above
    copied = deepcopy(paper)
    for step in reversed(steps):
        copied = copied[step]
    return in_place(copied, algorithm, prefixes)


def without_indentation(element: _Element) -> _Element:
    """A copy of `element` without the white space between its elements, which somebody may have added.

    Source: a rule of this program, no law: it explains why a digest fails, and makes none hold.
    """
    copied = deepcopy(element)
    for node in copied.iter():
        if len(node) and node.text and not node.text.strip():
            node.text = None
        if node is not copied and node.tail and not node.tail.strip():
            node.tail = None
    return copied


def without(element: _Element, name: str) -> _Element:
    """A copy of `element` without its children called `name` (`{namespace}name`): the enveloped transform.

    Source: W3C XML Signature Syntax and Processing (RFC 3275), section 6.6.4 (enveloped signature).
    """
    copied = deepcopy(element)
    for part in list(copied.iterchildren(name)):
        before = part.getprevious()
        # lxml takes the text behind an element away with it.
        if before is not None:
            before.tail = (before.tail or "") + (part.tail or "")
        else:
            copied.text = (copied.text or "") + (part.tail or "")
        copied.remove(part)
    return copied


def _write(root: _Element, algorithm: str, prefixes: tuple[str, ...]) -> bytes | None:
    exclusive = _METHODS[algorithm]
    root.tail = None  # with any text behind it lxml would take it for a part of something
    return of_root(root, exclusive=exclusive, prefixes=list(prefixes) if exclusive and prefixes else None)


def of_root(root: _Element, *, exclusive: bool = False, prefixes: list[str] | None = None) -> bytes | None:
    """The canonical form of a whole tree; None where it has none (a namespace that is no absolute URI).

    Source: W3C Canonical XML 1.0 (RFC 3076).
    """
    try:
        written: bytes = etree.tostring(
            root.getroottree(), method="c14n", exclusive=exclusive, with_comments=False, inclusive_ns_prefixes=prefixes
        )
    except etree.C14NError:
        return None
    return written


def _inherited_attributes(element: _Element) -> dict[str, str]:
    attributes: dict[str, str] = {}
    for above in element.iterancestors():
        for name, value in above.attrib.items():
            if str(name).startswith(_XML):
                attributes.setdefault(str(name), str(value))
    return attributes
