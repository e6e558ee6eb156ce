"""The plain rendering of an event, and of a range of numbers that was voided."""

from __future__ import annotations

from confere.errors import NC_, Message, message
from confere.export.pdf import plain_parts, watermark, wording
from confere.export.pdf.pdf_request import Rendered
from confere.export.pdf.sheet import PdfSheet
from confere.fiscal import taxpayers
from confere.fiscal.law import field_text
from confere.fiscal.model import Document, Event, Voiding
from confere.system import formatting
from confere.system.messages import render

_UNREGISTERED = "SEM REGISTRO"  # in the paper's language, as the other words across a paper

_SHOWN = frozenset({"@versao", "@versaoEvento", "descEvento", "xCorrecao", "xJust"})


def event(read: Event, name: Message | None, about: Document | None, why: Message | None) -> Rendered:
    """`name` is what the event is called; `about` its document, where it is at hand."""
    code = read.code or ""
    called = f"{render(name)} ({code})" if name is not None else render(message("Event {code}", code=code))
    title = called[:1].upper() + called[1:]
    sheet = PdfSheet(f"{title} {read.access_key or ''}")
    plain_parts.head(sheet, title, read.access_key, why)
    emitter = about.party("emitter") if about is not None else None
    recipient = about.party("recipient") if about is not None else None
    sheet.fields(
        [
            (render(message("Description")), read.description or ""),
            (render(message("Sequence")), "" if read.sequence is None else str(read.sequence)),
            (render(message("When")), formatting.moment(read.occurred_at)),
            (render(message("Author")), taxpayers.format_tax_id(read.author or "")),
            (render(message("Sent to")), read.sent_to or ""),
            (field_text.name("tpAmb"), field_text.coded("tpAmb", read.environment)),
            (render(message("Emitter")), (emitter.name if emitter else None) or ""),
            (render(message("Recipient")), (recipient.name if recipient else None) or ""),
            (render(message("Protocol")), read.protocol or ""),
            (render(message(NC_("moment", "Registered"))), formatting.moment(read.registered_at)),
            (render(message("Answer")), " ".join(filter(None, (read.cstat, read.reason)))),
        ]
    )
    if read.text:
        sheet.section(render(message("Words")))
        sheet.paragraph(read.text)
    rest = [(path, text) for path, text in read.fields if path not in _SHOWN]
    plain_parts.section(sheet, render(message("Everything else")), wording.named(rest), 2)
    words = [] if read.registered else [_UNREGISTERED]
    words += [watermark.WITHOUT_VALUE] if read.environment == watermark.TEST else []
    return plain_parts.finished(sheet, f"{read.access_key} {code}", read.occurred_at, " - ".join(words), why)


def voiding(read: Voiding, why: Message | None) -> Rendered:
    """A range of numbers that will never be used."""
    span = f"{read.first}" if read.first == read.last else f"{read.first}–{read.last}"
    title = render(message("Voiding of numbers {span}", span=span))
    sheet = PdfSheet(title)
    plain_parts.head(sheet, title, None, why)
    sheet.fields(
        [
            (render(message("Emitter")), taxpayers.format_tax_id(read.emitter or "")),
            (field_text.name("mod"), read.model or ""),
            (field_text.name("serie"), "" if read.series is None else str(read.series)),
            (render(message("Numbers")), span),
            (render(message("Year")), read.year or ""),
            (field_text.name("cUF"), read.uf_code or ""),
            (field_text.name("tpAmb"), field_text.coded("tpAmb", read.environment)),
            (render(message("Protocol")), read.protocol or ""),
            (render(message(NC_("moment", "Registered"))), formatting.moment(read.registered_at)),
            (render(message("Answer")), " ".join(filter(None, (read.cstat, read.answer)))),
        ]
    )
    if read.reason:
        sheet.section(field_text.name("xJust"))
        sheet.paragraph(read.reason)
    words = [] if read.registered else [_UNREGISTERED]
    words += [watermark.WITHOUT_VALUE] if read.environment == watermark.TEST else []
    return plain_parts.finished(sheet, title, read.registered_at, " - ".join(words), why)
