"""What a printed document must show, and a page for what the form of the library had no room for.

The library cuts names, leaves out long texts and puts further lines nowhere; whoever checks a truck at a barrier reads
the paper alone. So everything that must stand there is looked for among what was drawn, and what lacks is added.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any, Final, NamedTuple

from confere.export.pdf import font_characters
from confere.fiscal import taxpayers
from confere.fiscal.detail import FreightDetail, NoteDetail
from confere.fiscal.model import Document, DocumentType
from confere.system import formatting

_TITLE: Final = "CONTINUAÇÃO: o que não coube no formulário"  # on the paper, so in the paper's language
_MARGIN: Final = 10.0  # millimetres
_LINE: Final = 4.2
_ROLES: Final = {
    "emitter": "EMITENTE",
    "recipient": "DESTINATÁRIO",
    "taker": "TOMADOR",
    "sender": "REMETENTE",
    "dispatcher": "EXPEDIDOR",
    "receiver": "RECEBEDOR",
    "delivery": "LOCAL DE ENTREGA",
    "pickup": "LOCAL DE RETIRADA",
    "carrier": "TRANSPORTADOR",
}


class Needed(NamedTuple):
    """Something that a printed document must show, under the name that the layout gives it."""

    label: str
    text: str


def needed(read: Document) -> Iterator[Needed]:
    """Everything that the form of this document must show, as far as the XML has it.

    Source: MOC 7.0, annex II (DANFE); MOC of the CT-e 4.00, annex II (DACTE); MOC of the MDF-e 3.00 (DAMDFE).
    """
    yield from _given(
        ("CHAVE DE ACESSO", read.access_key),
        ("NÚMERO", None if read.number is None else str(read.number)),
        ("SÉRIE", None if read.series is None else str(read.series)),
        ("DATA DE EMISSÃO", _day(read.issued_at)),
        ("PROTOCOLO", read.protocol.number if read.protocol else None),
        ("VALOR TOTAL", _money(read.totals.document)),
    )
    if read.type is not DocumentType.NFCE:  # whose form has no room for it by the manual
        yield from _given(("NATUREZA DA OPERAÇÃO", read.operation))
    for party in read.parties:
        role = _ROLES.get(party.role, party.role.upper())
        yield from _given(
            (role, party.name),
            (f"{role} CNPJ/CPF", taxpayers.format_tax_id(party.tax_id) if party.tax_id else None),
            (f"{role} IE", party.state_registration),
        )
    for item in read.items:
        yield from _given(
            (f"ITEM {item.number} CÓDIGO", item.code),
            (f"ITEM {item.number} DESCRIÇÃO", item.description),
            (f"ITEM {item.number} VALOR", _money(item.total_cents)),
        )
    if isinstance(read.detail, FreightDetail):
        yield from _freight(read.detail)
    if isinstance(read.detail, NoteDetail | FreightDetail):
        said = read.detail.words
        yield from _given(("OBSERVAÇÕES", said.for_taxpayer), ("RESERVADO AO FISCO", said.for_authority))
    else:
        yield from _given(("OBSERVAÇÕES", read.notes))


def _freight(detail: FreightDetail) -> Iterator[Needed]:
    yield from _given(
        ("INÍCIO DA PRESTAÇÃO", detail.origin.city),
        ("TÉRMINO DA PRESTAÇÃO", detail.destination.city),
        ("VALOR A RECEBER", _money(detail.receivable_cents)),
    )
    if detail.cargo is not None:
        yield from _given(
            ("PRODUTO PREDOMINANTE", detail.cargo.product), ("VALOR DA CARGA", _money(detail.cargo.value_cents))
        )
    for component in detail.components:
        value = formatting.money(component.amount_cents).removeprefix("R$").strip() if component.amount_cents else ""
        yield from _given(("COMPONENTE DO VALOR", " ".join(filter(None, (component.name, value)))))
    for carried in detail.carried:
        yield from _given(("DOCUMENTO ORIGINÁRIO", carried.access_key or carried.number))


def lacking(wanted: Collection[Needed], drawn: str) -> tuple[Needed, ...]:
    """What of `wanted` is not among the words that were `drawn`: letters and figures alone are compared."""
    there = bare(drawn)
    return tuple(dict.fromkeys(entry for entry in wanted if bare(font_characters.latin(entry.text)) not in there))


def bare(text: str) -> str:
    """Letters and figures alone: lines are broken, and keys, numbers and tax ids are written in groups."""
    return "".join(letter for letter in text if letter.isalnum())


def append(pdf: Any, title: str, found: Sequence[Needed]) -> None:
    """A page of the open PDF, or more, with what was found lacking."""
    from fpdf import FPDF

    pdf.set_auto_page_break(auto=False)
    right = pdf.w - _MARGIN

    def begin() -> None:
        FPDF.add_page(pdf, orientation="P")
        pdf.set_font("Helvetica", "B", 11)
        pdf.text(_MARGIN, _MARGIN + 4, _TITLE)
        pdf.set_font("Helvetica", "", 8)
        pdf.text(_MARGIN, _MARGIN + 9, font_characters.latin(title))
        pdf.set_xy(_MARGIN, _MARGIN + 13)

    begin()
    for label, text in found:
        pdf.set_font("Helvetica", "", 8)
        lines = pdf.multi_cell(
            w=right - _MARGIN, h=_LINE, text=font_characters.latin(f"{label}: {text}"), dry_run=True, output="LINES"
        )
        for line in lines:
            if pdf.get_y() + _LINE > pdf.h - _MARGIN:
                begin()
            pdf.set_x(_MARGIN)
            pdf.cell(w=right - _MARGIN, h=_LINE, text=line)
            pdf.set_y(pdf.get_y() + _LINE)


def _given(*pairs: tuple[str, str | None]) -> Iterator[Needed]:
    for label, text in pairs:
        if text and bare(text):
            yield Needed(label, text)


def _money(cents: int | None) -> str | None:
    return None if cents is None else formatting.money(cents).removeprefix("R$").strip()


def _day(written: str | None) -> str | None:
    """As the forms write it, whatever the language of the program."""
    year, month, day = [*(written or "")[:10].split("-"), "", "", ""][:3]
    return f"{day}/{month}/{year}" if len(year) == 4 and len(month) == len(day) == 2 else None
