"""What the layouts' codes and tags are called by people: one word each, or None where nobody named it."""

from __future__ import annotations

from functools import cache
from typing import Final

from confere.errors import Message
from confere.fiscal.law.tables import law_tables

# Taxes that share the table of another one.
_SAME_SITUATIONS: Final = {"PISST": "PIS", "COFINS": "PIS", "COFINSST": "PIS", "ICMSOutraUF": "ICMS"}


def word(tag: str, code: str | None) -> Message | None:
    """What `code` means in the tag `tag`: `word("tPag", "17")`, `word("modFrete", "0")`, `word("orig", "0")`.

    None for a code or a tag that is not known here: show the code itself. What CST and CSOSN mean depends on
    the tax: ask `situation`.
    """
    return law_tables("values").get(tag, {}).get(code) if code is not None else None


def situation(tax: str, code: str | None) -> Message | None:
    """What the CST or CSOSN `code` means for the tax `tax` (`Tax.name`: ICMS, IPI, PIS, COFINS, IBSCBS …)."""
    if code is None:
        return None
    table = "CSOSN" if tax == "ICMS" and len(code) == 3 else _SAME_SITUATIONS.get(tax, tax)
    return law_tables("situations").get(table, {}).get(code)


def label(tag: str) -> Message | None:
    """What the field `tag` is called; of a path (`gIBSCBS/gIBSUF/vIBSUF`) its last step counts.

    None for a tag without a name here: show the tag itself. An attribute (`det@nItem`) is called as its own name.
    """
    name = tag.rpartition("/")[2].rpartition("@")[2]
    return _labels().get(name)


def read_tables() -> None:
    """Read every table that is asked for here now, some 40 ms, so that the first document need not."""
    for name in ("values", "situations"):
        law_tables(name)
    _labels()


@cache
def _labels() -> dict[str, Message]:
    return {tag: name for table in law_tables("tags").values() for tag, name in table.items()}
