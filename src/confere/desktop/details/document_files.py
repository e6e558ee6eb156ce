"""The files a document consists of: its own XML, other versions of it, and one for each event."""

from __future__ import annotations

from confere.app.documents import save_xml
from confere.app.documents.full_document import EventRow, FullDocument
from confere.app.documents.view import detail_text
from confere.app.documents.view.loaded import Loaded
from confere.app.labels import labels
from confere.desktop.dialogs.saving.save_xml import Content
from confere.system import formatting
from confere.system.messages import t


def of(loaded: Loaded) -> tuple[Content, ...]:
    """Of a document as `every` says; of a file that cannot be read its bytes."""
    file = loaded.unreadable
    if file is None:
        return every(loaded.view.full)
    return (Content(t("The file as it came"), file.sha256, f"{file.sha256[:16]}.xml"),)


def every(full: FullDocument) -> tuple[Content, ...]:
    """The document first, then its events as they happened, then what else came under its key; each once."""
    found: dict[str, Content] = {}
    if full.row is not None:
        row = full.row
        found[row.sha256] = Content(detail_text.title(full), row.sha256, save_xml.document_name(row, full.voiding))
    for event in full.events:
        found.setdefault(event.sha256, of_event(event))
    for other in full.versions:
        name = save_xml.document_name(other)
        label = t("Another version ({mark})", mark=other.sha256[:8])
        found.setdefault(
            other.sha256, Content(label, other.sha256, f"{name.removesuffix('.xml')}-{other.sha256[:8]}.xml")
        )
    return tuple(found.values())


def of_event(event: EventRow) -> Content:
    """The file of an event; of a further copy, under a name of its own."""
    name = save_xml.event_name(event)
    if not event.is_current:
        name = f"{name.removesuffix('.xml')}-{event.sha256[:8]}.xml"
    label = f"{labels.event_word(event.code, event.description)}, {formatting.moment(event.occurred_at)}".strip(", ")
    label = label[:1].upper() + label[1:]
    return Content(label if event.is_current else t("{event} (copy)", event=label), event.sha256, name)
