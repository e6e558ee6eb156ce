"""Our own plain rendering of a document, complete, for what the library does not draw."""

from __future__ import annotations

from confere.errors import Message, message
from confere.export.pdf import plain_cte, plain_nfe, plain_parts, watermark, wording
from confere.export.pdf.pdf_request import Rendered
from confere.export.pdf.sheet import PdfSheet
from confere.fiscal import document_models
from confere.fiscal.detail import FreightDetail, FullParty, NoteDetail
from confere.fiscal.law import field_text
from confere.fiscal.model import Document, State
from confere.system import formatting
from confere.system.messages import render


def document(read: Document, state: State | None, why: Message | None) -> Rendered:
    """Everything that was read of the document; it should have been read whole."""
    kind = document_models.type_name(read.type) or read.type.value
    number = "" if read.number is None else str(read.number)
    title = render(message("{kind} {number}, series {series}", kind=kind, number=number, series=read.series))
    if read.series is None or read.number is None:
        title = f"{kind} {number}".strip()
    sheet = PdfSheet(f"{title} · {read.access_key or ''}")
    plain_parts.head(sheet, title, read.access_key, why)
    if isinstance(read.detail, NoteDetail):
        plain_nfe.draw(sheet, read, read.detail)
    elif isinstance(read.detail, FreightDetail):
        plain_cte.draw(sheet, read, read.detail)
    else:
        _header(sheet, read)
    return plain_parts.finished(sheet, watermark.title_of(read), read.issued_at, watermark.words(read, state), why)


def _header(sheet: PdfSheet, read: Document) -> None:
    """Of a kind that is read in its head alone."""
    sheet.fields(
        [
            (field_text.name("dhEmi"), formatting.moment(read.issued_at)),
            *plain_parts.protocol(read.protocol),
            (field_text.name("mod"), read.model or ""),
            (field_text.name("tpAmb"), field_text.coded("tpAmb", read.environment)),
            (render(message("Total")), formatting.money(read.totals.document)),
        ]
    )
    for party in read.parties:
        plain_parts.party(sheet, FullParty(party))
    if read.references:
        sheet.section(render(message("Documents named in it")))
        sheet.fields([("", wording.groups(entry.access_key)) for entry in read.references], 2)
