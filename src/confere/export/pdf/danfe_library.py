"""The library that draws DANFE, DACTE, DAMDFE and correction letters, kept within bounds.

It raises on some real papers, draws others page after page without an end, takes time by the square of a note's items
and cuts what is longer than a page. So it is asked for the kinds it knows, watched while it draws, and what it made
is looked at before it is given out.
"""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from confere.errors import Message, message
from confere.export.pdf import continuation_page, font_characters, watermark
from confere.export.pdf.continuation_page import Needed
from confere.export.pdf.pdf_request import By, Rendered
from confere.fiscal.detail import Address, NoteDetail
from confere.fiscal.model import Document, DocumentType, Event, State
from confere.fiscal.reading import extract
from confere.fiscal.reading.extract import Extract
from confere.system.processes.library_warnings import quiet_warnings

_log = logging.getLogger(__name__)

CORRECTION: Final = "110110"
_SECONDS: Final = 60.0  # a note of 990 items takes some 12 on a slow machine
_MOST_PAGES: Final = 500
_LONGEST_ITEM: Final = 1500  # characters; the layout allows 620, a page holds some 2400
_ITEMS_OF_A_PAGE: Final = 100  # rows are 3 mm high at least, a page's table below 290
_WORDS_OF_AN_ERROR: Final = 120
_FREIGHT_LAYOUT: Final = "4.00"
_SMALLEST: Final = 4.0  # points
_CUT_BEYOND: Final = 38  # letters of a name: the narrowest of its fields
_UPRIGHT: Final = "<tpImp>1</tpImp>"
_PRINTED: Final = re.compile(r"<tpImp>[^<]*</tpImp>")
_REMARK: Final = re.compile(r"<xObs>(.*?)</xObs>", re.DOTALL)

Cannot = Message
"""Why the library does not draw a paper."""


def document(data: bytes, position: int, read: Document, state: State | None) -> Rendered | Cannot:
    """The document as its DANFE, DACTE or DAMDFE, or the reason for which there is none."""
    known = _MAKERS.get(read.type)
    if known is None or not draws(read.type, read.layout):
        return _unknown()
    for number, length in _lengths(read):
        if length > _LONGEST_ITEM:
            return message("Item {number} has more words than a page of the DANFE holds.", number=number)
    taken = _Letters()
    paper = extract.document(data, position, taken)
    if paper.name == "CTeSimp":
        return _unknown()
    wanted = tuple(continuation_page.needed(read))
    made = _drawn(known, paper, {}, watermark.words(read, state), watermark.title_of(read), read.issued_at, wanted)
    return taken.told(made)


def draws(type: str, layout: str | None) -> bool:
    """Whether papers of this type and layout are drawn as DANFE, DACTE or DAMDFE: a CT-e from layout 4.00 on."""
    return type in _MAKERS and not (type == DocumentType.CTE and (layout or _FREIGHT_LAYOUT) < _FREIGHT_LAYOUT)


def correction_letter(data: bytes, position: int, read: Event, about: Document | None) -> Rendered | Cannot:
    """The correction letter of an NF-e; `about` is its document, read whole, where it is at hand: who sent it."""
    if read.code != CORRECTION or read.model not in ("55", "65"):
        return _unknown()
    taken = _Letters()
    paper = extract.event(data, position, taken)
    given = {"emitter": _emitter(about, taken)}
    return taken.told(_drawn(_letter, paper, given, "", f"{read.access_key} {read.code}", read.occurred_at))


def _unknown() -> Cannot:
    return message("The library that draws DANFE and DACTE does not know this kind of paper.")


class _Letters:
    """Puts texts into the letters there are, and knows whether any was lost."""

    def __init__(self) -> None:
        self._lost = False

    def __call__(self, text: str) -> str:
        self._lost = self._lost or font_characters.loses(text)
        return font_characters.latin(text)

    def told(self, made: Rendered | Cannot) -> Rendered | Cannot:
        """`made` with a word about what was lost."""
        return replace(made, why=font_characters.told()) if self._lost and isinstance(made, Rendered) else made


class _Beyond(Exception):
    """The library goes on for too long."""


class _Watched:
    """Stands before a class of the library: what it calls all the time looks at the clock, and pages are counted."""

    ends_at: float = 0.0
    drawn: list[str]

    def add_page(self, *args: Any, **named: Any) -> None:
        if self.page_no() >= _MOST_PAGES:  # type: ignore[attr-defined]
            raise _Beyond
        self._look_at_the_clock()
        super().add_page(*args, **named)  # type: ignore[misc]

    def set_font(self, *args: Any, **named: Any) -> None:
        self._look_at_the_clock()
        super().set_font(*args, **named)  # type: ignore[misc]

    def cell(self, w: Any = None, h: Any = None, text: str = "", *args: Any, **named: Any) -> Any:
        self.drawn.append(text)
        return super().cell(w, h, text, *args, **named)  # type: ignore[misc]

    def text(self, x: Any, y: Any, text: str = "", **named: Any) -> None:
        self.drawn.append(text)
        super().text(x, y, text, **named)  # type: ignore[misc]

    def multi_cell(self, w: Any, h: Any = None, text: str = "", *args: Any, **named: Any) -> Any:
        self._look_at_the_clock()
        if not (named.get("dry_run") or named.get("split_only")):
            self.drawn.append(text)
        return super().multi_cell(w, h, text, *args, **named)  # type: ignore[misc]

    def _draw_void_watermark(self) -> None:
        """Ours says more, of more states, and what it covers can be read."""

    def _look_at_the_clock(self) -> None:
        if time.monotonic() > self.ends_at:
            raise _Beyond


class _Paged(_Watched):
    """A DANFE, which lays all items that are left out to know how many of them the next page takes."""

    def _calculate_product_splits(
        self, products: list[Any], height_product_table: float
    ) -> tuple[list[Any], list[Any]]:
        here, rest = super()._calculate_product_splits(  # type: ignore[misc]
            products=products[:_ITEMS_OF_A_PAGE], height_product_table=height_product_table
        )
        return here, [*rest, *products[_ITEMS_OF_A_PAGE:]]


class _Fitted(_Watched):
    """A DACTE, which cuts long names and writes the last figures of IBS and CBS over its frame."""

    def multi_cell(self, w: Any, h: Any = None, text: str = "", *args: Any, **named: Any) -> Any:
        size = self.font_size_pt  # type: ignore[attr-defined]
        if w == 0 and len(text) > _CUT_BEYOND:
            middle = self.epw / 2  # type: ignore[attr-defined]  # where it draws the line between the columns
            room = (middle if self.x < middle else self.w - self.r_margin) - self.x - 2  # type: ignore[attr-defined]
            width = self.get_string_width(text)  # type: ignore[attr-defined]
            if width > room > 0:
                self.set_font_size(max(size * room / width, _SMALLEST))  # type: ignore[attr-defined]
        try:
            return super().multi_cell(w, h, text, *args, **named)
        finally:
            self.set_font_size(size)  # type: ignore[attr-defined]

    def cell(self, w: Any = None, h: Any = None, text: str = "", *args: Any, **named: Any) -> Any:
        edge = self.w - self.r_margin - 0.1 * self.l_margin - 0.3  # type: ignore[attr-defined]
        if w and named.get("align") == "R" and self.x + w > edge:  # type: ignore[attr-defined]
            w = edge - self.x  # type: ignore[attr-defined]
        return super().cell(w, h, text, *args, **named)


def _watched(known: type, before: type = _Watched) -> Any:
    return type(known.__name__, (before, known), {"ends_at": time.monotonic() + _SECONDS, "drawn": []})


# Each is imported when it is first used: the library is slow to load, and whoever needs no PDF has none of it.


def _danfe(xml: str, _given: Mapping[str, Any]) -> Any:
    from brazilfiscalreport.danfe.config import DanfeConfig, DanfeLayout
    from brazilfiscalreport.danfe.danfe import resolve_layout
    from brazilfiscalreport.danfe.danfe_moc_7_0 import DanfeMoc70
    from brazilfiscalreport.danfe.danfe_nt_2026_010 import DanfeNt2026010

    known = DanfeMoc70 if resolve_layout(xml) is DanfeLayout.MOC_7_0 else DanfeNt2026010
    return _watched(known, _Paged)(xml, config=DanfeConfig())


def _danfce(xml: str, _given: Mapping[str, Any]) -> Any:
    from brazilfiscalreport.danfce.config import DanfceConfig
    from brazilfiscalreport.danfce.danfce import Danfce

    return _watched(Danfce)(xml, config=DanfceConfig())


def _dacte(xml: str, _given: Mapping[str, Any]) -> Any:
    from brazilfiscalreport.dacte import dacte
    from brazilfiscalreport.dacte.config import DacteConfig

    dacte.limit_text = _whole
    config = DacteConfig(display_ibs_cbs="<IBSCBS>" in xml)
    # It looks for remarks in `xTexto` alone, and so finds none in `xObs`.
    told = _REMARK.sub(r"<xObs><xTexto>\1</xTexto></xObs>", xml)
    # Across the page it draws over the lower edge, which takes the remarks away.
    told = _PRINTED.sub(_UPRIGHT, told) if _PRINTED.search(told) else told.replace("</ide>", f"{_UPRIGHT}</ide>", 1)
    return _watched(dacte.Dacte, _Fitted)(told, config=config)


def _whole(text: str, _max_len: int | None = None) -> str:
    """In place of the library's own, which drops the words of a name beyond a count of letters."""
    return " ".join(text.split())


def _damdfe(xml: str, _given: Mapping[str, Any]) -> Any:
    from brazilfiscalreport.damdfe.damdfe import Damdfe

    return _watched(Damdfe)(xml)


def _letter(xml: str, given: Mapping[str, Any]) -> Any:
    from brazilfiscalreport.dacce.dacce import DaCCe

    return _watched(DaCCe)(xml, emitente=given["emitter"])


_Maker = Callable[[str, Mapping[str, Any]], Any]
_MAKERS: Final[Mapping[DocumentType, _Maker]] = {
    DocumentType.NFE: _danfe,
    DocumentType.NFCE: _danfce,
    DocumentType.CTE: _dacte,
    DocumentType.MDFE: _damdfe,
}


def _drawn(
    maker: _Maker,
    paper: Extract,
    given: Mapping[str, Any],
    word: str,
    title: str,
    issued_at: str | None,
    wanted: Collection[Needed] = (),
) -> Rendered | Cannot:
    """Everything that it raises is a reason, whatever it is: the paper is then drawn by ourselves."""
    for name in ("fpdf", "fontTools", "brazilfiscalreport"):
        logging.getLogger(name).setLevel(logging.CRITICAL)  # what it says there is of no use to anybody
    xml = paper.data.decode().partition("?>")[2].lstrip()
    try:
        with quiet_warnings():
            pdf = maker(xml, given)
            if not pdf.pages_count:
                return message("The library that draws DANFE and DACTE made no page of it.")
            found = continuation_page.lacking(wanted, " ".join(pdf.drawn))
            if found:
                continuation_page.append(pdf, title, found)
            watermark.stamp(pdf, word)
            watermark.settle(pdf, title, issued_at)
            made = bytes(pdf.output())
    except _Beyond:
        return message("The library that draws DANFE and DACTE came to no end with this paper.")
    except Exception as error:
        _log.info("the words of %s: %s", maker.__name__, f"{type(error).__name__}: {error}"[:_WORDS_OF_AN_ERROR])
        return message("The library that draws DANFE and DACTE failed on this paper.")
    return Rendered(made, pdf.pages_count, By.LIBRARY)


def _lengths(read: Document) -> Iterator[tuple[int, int]]:
    """How many characters each item has in the DANFE's column of descriptions."""
    if isinstance(read.detail, NoteDetail):
        for entry in read.detail.items:
            yield entry.item.number, len(entry.item.description or "") + len(entry.words or "")
    else:
        for item in read.items:
            yield item.number, len(item.description or "")


def _emitter(about: Document | None, put: Callable[[str], str]) -> dict[str, str]:
    """Who sent the letter, as the library asks for it: the letter itself has no name."""
    party = about.party("emitter") if about is not None else None
    if about is None or party is None:
        return {}
    parties = about.detail.parties if about.detail is not None else ()
    address = next((entry.address for entry in parties if entry.party.role == "emitter"), None) or Address()
    found = {
        "nome": party.name,
        "ie": party.state_registration,
        "end": ", ".join(filter(None, (address.street, address.number, address.complement))),
        "bairro": address.district,
        "cep": address.postal_code,
        "cidade": address.city or party.city,
        "uf": address.uf or party.uf,
        "fone": address.phone,
    }
    return {name: put(text or "") for name, text in found.items()}
