"""The taxes of a CT-e: ICMS in all its groups, DIFAL, the federal ones, and the reform's IBS and CBS."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from lxml.etree import _Element

from confere.fiscal.detail import Tax
from confere.fiscal.document_parts import Warning
from confere.fiscal.reading.amounts import cents, quantity
from confere.fiscal.reading.elements import LOCAL, child, texts, texts_within
from confere.fiscal.reading.xml_leaves import leaves

TAX_TAGS: Final = ("ICMS", "ICMSComp", "ICMSUFFim", "IBSCBS", "infTribFed")
"""The groups of `imp` (`impComp`) that are taxes."""

# Base, rate and amount of a group; what is another state's bears its name.
_OWN: Final = (("vBC", "vBCOutraUF"), ("pICMS", "pICMSOutraUF"), ("vICMS", "vICMSOutraUF"))
_DIFAL: Final = (("vBCUFFim",), ("pICMSUFFim",), ("vICMSUFFim",))
_FEDERAL: Final = ("vPIS", "vCOFINS", "vIR", "vINSS", "vCSLL")
_REFORM: Final = tuple(f"{{*}}{name}" for name in ("CST", "vBC", "vBCIBSCBS", "vIBS", "vCBS"))


def taxes_of(section: _Element | None, warnings: list[Warning]) -> tuple[Tax, ...]:
    """The taxes in `imp`, or in the `impComp` of a complement of the first layouts."""
    return tuple(_taxes(section, warnings)) if section is not None else ()


def reform_total(total: _Element | None, warnings: list[Warning]) -> tuple[Tax, ...]:
    """The reform's taxes of a simplified CT-e: their sum over its deliveries, in `total/IBSCBSTot`."""
    group = child(total, "IBSCBSTot") if total is not None else None
    return (_reform(group, warnings),) if group is not None else ()


def _taxes(section: _Element, warnings: list[Warning]) -> Iterator[Tax]:
    for group in section:
        name = LOCAL[group.tag]
        if name in ("ICMS", "ICMSComp"):
            for variant in group:
                if LOCAL[variant.tag]:
                    yield _icms(name, variant, _OWN, warnings)
        elif name == "ICMSUFFim":
            yield _icms(name, group, _DIFAL, warnings)
        elif name == "IBSCBS":
            yield _reform(group, warnings)
        elif name == "infTribFed":
            yield from _federal(group, warnings)


def _icms(name: str, group: _Element, tags: tuple[tuple[str, ...], ...], warnings: list[Warning]) -> Tax:
    get = texts(group).get
    base, rate, amount = (next(((tag, get(tag)) for tag in known if get(tag)), ("", None)) for known in tags)
    return Tax(
        name,
        LOCAL[group.tag],
        get("CST"),
        None,
        cents(base[1], base[0], warnings),
        quantity(rate[1], rate[0], warnings),
        cents(amount[1], amount[0], warnings),
        leaves(group),
    )


def _reform(group: _Element, warnings: list[Warning]) -> Tax:
    get = texts_within(group, _REFORM).get
    parts = [cents(get(tag), tag, warnings) for tag in ("vIBS", "vCBS")]
    known = [part for part in parts if part is not None]
    base = get("vBC") or get("vBCIBSCBS")
    return Tax(
        "IBSCBS",
        LOCAL[group.tag],
        get("CST"),
        None,
        cents(base, "vBC", warnings),
        None,
        sum(known) if known else None,
        leaves(group),
    )


def _federal(group: _Element, warnings: list[Warning]) -> Iterator[Tax]:
    """PIS, COFINS, IR, INSS and CSLL of a CT-e OS: an amount each, and nothing more."""
    for path, text in leaves(group):
        tag = path.rpartition("/")[2]
        amount = cents(text, tag, warnings) if tag in _FEDERAL else None
        yield Tax(tag.removeprefix("v"), "infTribFed", None, None, None, None, amount, ((path, text),))
