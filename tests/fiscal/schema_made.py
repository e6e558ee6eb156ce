"""XML that holds everything a schema allows, each leaf with a text of its own: nothing read from it may go missing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from lxml import etree

XS = "{http://www.w3.org/2001/XMLSchema}"
_GROUPING = tuple(f"{XS}{name}" for name in ("sequence", "choice", "all", "complexContent", "extension", "complexType"))


@dataclass
class SchemaMaker:
    """Makes one element of a type of the schemas in `folder`; of choices every branch, of many two.

    Texts are unique; those of the schema's decimal types are numbers. `wildcards` are put where anything may stand.
    """

    folder: Path
    namespace: str
    wildcards: tuple[str, ...] = ()
    count: int = 1000
    types: dict[str, etree._Element] = field(default_factory=dict)
    elements: dict[str, etree._Element] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for path in sorted(self.folder.glob("*.xsd")):
            schema = etree.parse(path).getroot()
            for kind in schema.iterchildren(f"{XS}complexType"):
                self.types.setdefault(kind.get("name", ""), kind)
            for element in schema.iterchildren(f"{XS}element"):
                self.elements.setdefault(element.get("name", ""), element)

    def make(self, name: str, kind: str) -> etree._Element:
        made = etree.Element(f"{{{self.namespace}}}{name}", nsmap={None: self.namespace})
        self.fill(made, self.types[kind])
        return made

    def fill(self, parent: etree._Element, model: etree._Element) -> None:
        """Give `parent` all that `model`, an element or type of the schema, lets it hold."""
        base = next((part.get("base", "") for part in model.iterchildren(f"{XS}extension")), "")
        if base in self.types:
            self.fill(parent, self.types[base])
        for part in model:
            if part.tag in _GROUPING:
                self.fill(parent, part)
            elif part.tag == f"{XS}attribute":
                parent.set(part.get("name", ""), self._unique())
            elif part.tag == f"{XS}any":
                for name in self.wildcards:
                    self._element(parent, self.elements[name])
            elif part.tag == f"{XS}element" and ":" not in part.get("ref", ""):
                for _ in range(1 if part.get("maxOccurs", "1") == "1" else 2):
                    self._element(parent, part)

    def _element(self, parent: etree._Element, part: etree._Element) -> None:
        made = etree.SubElement(parent, f"{{{self.namespace}}}{part.get('name')}")
        kind = part.get("type", "")
        own = next(part.iterchildren(f"{XS}complexType"), None)
        model = own if own is not None else self.types.get(kind.rpartition(":")[2])
        if model is not None:
            self.fill(made, model)
        if not len(made):
            made.text = self._unique(number=kind.startswith("TDec"))

    def _unique(self, *, number: bool = False) -> str:
        self.count += 1
        return f"{self.count}.00" if number else f"t{self.count}"


def leaf_texts(root: etree._Element) -> Iterator[tuple[str, str]]:
    """Name and text of each leaf and attribute below `root`, found without the reader's own tools."""
    for element in root.iter("*"):
        name = etree.QName(element).localname
        text = (element.text or "").strip()
        if text and not len(element):
            yield name, text
        if element is not root:
            yield from ((f"{name}/@{etree.QName(key).localname}", value) for key, value in element.attrib.items())
