"""What the plain rendering of every kind of paper has: its head, its parties, what it says in words, what is left."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from confere.errors import N_, Message, message
from confere.export.pdf import font_characters, watermark, wording
from confere.export.pdf.pdf_request import By, Rendered
from confere.export.pdf.sheet import Field, PdfSheet
from confere.fiscal import taxpayers
from confere.fiscal.detail import Address, Fields, FullParty, Words
from confere.fiscal.document_parts import Protocol
from confere.fiscal.law import field_text
from confere.system import formatting
from confere.system.messages import render

_ROLES: Final = {
    "emitter": N_("Emitter"),
    "recipient": N_("Recipient"),
    "taker": N_("Taker of the freight"),
    "sender": N_("Sender"),
    "dispatcher": N_("Dispatcher"),
    "receiver": N_("Receiver"),
    "delivery": N_("Place of delivery"),
    "pickup": N_("Place of pickup"),
    "carrier": N_("Carrier"),
}


def head(sheet: PdfSheet, title: str, key: str | None, why: Message | None) -> None:
    """Name, key and barcode, and what this rendering is."""
    sheet.heading(title)
    what = message("Plain rendering by Confere of what the XML says. It is not a DANFE, DACTE or other official form.")
    sheet.notice(render(entry) for entry in (what, why) if entry is not None)
    if key:
        sheet.bars(_bars(key))
        sheet.fields([(field_text.name("chaveAcesso"), wording.groups(key))], 1)


def finished(sheet: PdfSheet, title: str, issued_at: str | None, word: str, why: Message | None) -> Rendered:
    """The PDF, with the word across it."""
    if sheet.lost:
        sheet.paragraph(render(font_characters.told()), muted=True)
    sheet.finish()
    watermark.stamp(sheet.pdf, word)
    watermark.settle(sheet.pdf, font_characters.latin(title), issued_at)
    return Rendered(bytes(sheet.pdf.output()), sheet.pdf.pages_count, By.OWN, why)


def section(sheet: PdfSheet, title: str, fields: Iterable[Field], columns: int = 4) -> None:
    """A part with its fields; none where it has none."""
    found = [(label, text) for label, text in fields if text]
    if found:
        sheet.section(title)
        sheet.fields(found, columns)


def party(sheet: PdfSheet, full: FullParty) -> None:
    """Everything that the paper says of somebody."""
    known = _ROLES.get(full.party.role)
    section(
        sheet,
        render(Message(known)) if known else full.party.role,
        [
            (field_text.name("xNome"), full.party.name or ""),
            (_tax_label(full.party.tax_id), taxpayers.format_tax_id(full.party.tax_id or "")),
            (field_text.name("IE"), full.party.state_registration or ""),
            (field_text.name("xFant"), full.trade_name or ""),
            *address(full.address or Address(city=full.party.city, uf=full.party.uf)),
            (field_text.name("email"), full.email or ""),
            (field_text.name("CRT"), field_text.coded("CRT", full.tax_regime)),
            (field_text.name("indIEDest"), field_text.coded("indIEDest", full.registration_indicator)),
            (field_text.name("IEST"), full.substitute_registration or ""),
            (field_text.name("IM"), full.municipal_registration or ""),
            (field_text.name("CNAE"), full.cnae or ""),
            (field_text.name("ISUF"), full.suframa or ""),
        ],
    )


def address(place: Address) -> list[Field]:
    """An address in two fields, as it is written on an envelope."""
    street = ", ".join(filter(None, (place.street, place.number, place.complement, place.district)))
    city = " - ".join(filter(None, (place.city, place.uf)))
    country = None if (place.country or "").strip().upper() == "BRASIL" else place.country
    return [
        (field_text.name("xEnder"), street),
        (field_text.name("xMun"), city),
        (field_text.name("CEP"), place.postal_code or ""),
        (field_text.name("xPais"), country or ""),
        (field_text.name("fone"), place.phone or ""),
    ]


def protocol(answer: Protocol | None) -> list[Field]:
    """What the authority answered."""
    if answer is None:
        return [(render(message("Protocol")), render(message("The XML has none.")))]
    said = " ".join(filter(None, (answer.cstat, answer.reason)))
    return [
        (render(message("Protocol")), answer.number or ""),
        (render(message("Authorized")), formatting.moment(answer.received_at)),
        (render(message("Answer")), said),
    ]


def words(sheet: PdfSheet, said: Words) -> None:
    """What the paper says in words."""
    section(sheet, field_text.name("infCpl"), [("", said.for_taxpayer or "")], 1)
    section(sheet, field_text.name("infAdFisco"), [("", said.for_authority or "")], 1)
    for for_authority, tag in ((False, "obsCont"), (True, "obsFisco")):
        found = [(entry.name or "", entry.text or "") for entry in said.remarks if entry.for_authority is for_authority]
        section(sheet, field_text.name(tag), found, 2)
    section(sheet, field_text.name("infAdic"), wording.named(said.fields), 2)


def groups_of_fields(sheet: PdfSheet, found: Sequence[tuple[str, Fields]], columns: int = 4) -> None:
    """Groups of the paper as they are, each under its name."""
    for tag, fields in found:
        section(sheet, field_text.name(tag), wording.named(fields), columns)


def _tax_label(tax_id: str | None) -> str:
    plain = taxpayers.normalise(tax_id or "")
    if taxpayers.CNPJ_SHAPE.fullmatch(plain):
        return field_text.name("CNPJ")
    return field_text.name("CPF" if taxpayers.CPF_SHAPE.fullmatch(plain) else "idEstrangeiro")


def _bars(key: str) -> str:
    from barcode.codex import Code128

    if not (key.isascii() and key.isalnum()) or len(key) > 50:
        return ""
    made: str = Code128(key).build()[0]
    return made
