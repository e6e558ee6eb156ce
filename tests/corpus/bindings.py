"""A second reading of layout 4.00 by the classes that nfelib generates from the official schemas."""

from __future__ import annotations

import base64
import warnings
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from typing import Any

from lxml import etree
from nfelib.cte.bindings.v4_0.cte_os_v4_00 import CteOs
from nfelib.cte.bindings.v4_0.cte_simp_v4_00 import CteSimp
from nfelib.cte.bindings.v4_0.cte_tipos_basico_v4_00 import TprotCte
from nfelib.cte.bindings.v4_0.cte_v4_00 import Cte
from nfelib.nfe.bindings.v4_0.leiaute_nfe_v4_00 import TprotNfe
from nfelib.nfe.bindings.v4_0.nfe_v4_00 import Nfe
from xsdata.exceptions import ConverterWarning, ParserError
from xsdata.formats.dataclass.models.generics import AnyElement, DerivedElement
from xsdata.formats.dataclass.parsers import XmlParser
from xsdata.formats.dataclass.parsers.config import ParserConfig

CLASSES: dict[str, type] = {
    "NFe": Nfe,
    "CTe": Cte,
    "CTeOS": CteOs,
    "CTeSimp": CteSimp,
    "protNFe": TprotNfe,
    "protCTe": TprotCte,
}
SIGNATURE = "Signature"  # its values are the verdict's matter
PARSER = XmlParser(config=ParserConfig(fail_on_unknown_properties=False))

Leaves = dict[str, list[str]]


class NotBound(Exception):
    """The generated classes do not take this element; the words are theirs."""


def leaves(element: etree._Element) -> Leaves:
    """The texts of `element` by the path of their tags, in the order of the paper, as the generated class holds them.

    Items of an NF-e and deliveries of a simplified CT-e are told apart by number: `infNFe/det[2]/prod/cProd`. What the
    schema does not know is left out, and a value that it forbids is kept as written. Raises `NotBound` for an
    element that has no class, or of which its class takes nothing.
    """
    kind = etree.QName(element).localname
    if kind not in CLASSES:
        raise NotBound(f"no class for {kind}")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConverterWarning)
        try:
            bound = PARSER.from_bytes(etree.tostring(element, with_tail=False), CLASSES[kind])
        except (ParserError, TypeError, ValueError) as error:
            raise NotBound(str(error).splitlines()[0]) from error
    found: Leaves = {}
    for path, text in walk(bound, ""):
        if text.strip():
            found.setdefault(path, []).append(text.strip())
    if not found:
        raise NotBound(f"{kind} has no namespace that the class knows")
    return found


def walk(bound: object, path: str) -> Iterator[tuple[str, str]]:
    """Every leaf of a generated object, whatever its class."""
    for name, tag in tags(type(bound)):
        value = getattr(bound, name)
        if value is None or tag == SIGNATURE:
            continue
        several = isinstance(value, list)  # a moment is a tuple
        for number, entry in enumerate(value if several else (value,), 1):
            place = f"{tag}[{number}]" if tag == "det" and several else tag
            yield from leaf(entry, f"{path}/{place}" if path else place)


def leaf(value: Any, path: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, DerivedElement):
        value = value.value
    if isinstance(value, AnyElement):
        yield from anything(value, path)
    elif is_dataclass(value):
        yield from walk(value, path)
    elif isinstance(value, Enum):
        yield path, str(value.value)
    elif isinstance(value, bytes):
        yield path, base64.b64encode(value).decode()
    elif value is not None:
        yield path, str(value)


def anything(value: AnyElement, path: str) -> Iterator[tuple[str, str]]:
    """What the schema leaves open, as the modal group of a CT-e; `path` ends in the wildcard's own name."""
    place = f"{path.rpartition('/')[0]}/{(value.qname or '').rpartition('}')[2]}"
    if value.text and value.text.strip():
        yield place, value.text
    for name, text in value.attributes.items():
        yield f"{place}/@{name}", text
    for child in value.children:
        if isinstance(child, AnyElement):
            yield from anything(child, f"{place}/*")
        else:
            yield from leaf(child, place)


@cache
def tags(kind: type) -> tuple[tuple[str, str], ...]:
    """The fields of a generated class, and the tags (`@name` for attributes) that they stand for."""
    found = []
    for entry in fields(kind):
        tag = str(entry.metadata.get("name") or entry.name)
        found.append((entry.name, f"@{tag}" if entry.metadata.get("type") == "Attribute" else tag))
    return tuple(found)
