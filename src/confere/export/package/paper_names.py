"""Which folder and name a paper has in the package: its row of the archive, poured into the templates.

Importers go by the endings that Brazilian emitters' programs write: `-procNFe.xml` is a note with its protocol,
`-nfe.xml` one without, `-procEventoNFe.xml` a registered event, `-procInutNFe.xml` a registered voiding; `-ped-eve`
and `-ped-inu` are the requests alone. NFC-e share the endings of NF-e, CT-e OS those of CT-e.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from confere.archive.documents.export_queries import DocumentSheet, EventSheet
from confere.export.months import Month
from confere.export.package import cancelled_profiles
from confere.export.package.cancelled_profiles import Profile
from confere.export.package.name_templates import (
    DOCUMENT_FIELDS,
    EVENT_FIELDS,
    FOLDER_FIELDS,
    VOIDING_FIELDS,
    FileNameTemplate,
    FolderName,
    Templates,
)
from confere.export.package.request import Events
from confere.fiscal import document_models
from confere.fiscal.model import Voiding
from confere.system.files.safe_names import segment

EVENT: Final = "event"

_KINDS: Final = {"nfe": "nfe", "nfce": "nfe", "cte": "cte", "cteos": "cte", "mdfe": "mdfe"}
# As the endings spell them.
_LAWS: Final = {
    "nfe": "NFe",
    "cte": "CTe",
    "mdfe": "MDFe",
    "nfcom": "NFCom",
    "nf3e": "NF3e",
    "bpe": "BPe",
    "gtve": "GTVe",
    "dce": "DCe",
    "nfse": "NFSe",
    "cfe": "CFe",
}
_UNKNOWN: Final = "unknown"
_SAFE: Final = 20  # characters of a name that is no longer a device's, whatever they are
_PLAIN_FIELDS: Final = FOLDER_FIELDS | {"key", "ending"}  # all that most templates ask for

Sheet = DocumentSheet | EventSheet


def package_of(sheet: Sheet) -> str:
    """The short name of the paper's model; a voiding has the one of the numbers it voids."""
    return _package(sheet.model, sheet.type)


def kind_of(sheet: Sheet) -> str:
    """The family that a document, or an event's document, belongs to: nfe, cte, or the type of another model."""
    package = _package(sheet.model, sheet.type)
    return _KINDS.get(package, package)


@lru_cache(256)  # asked several times for each file
def _package(model: str | None, document_type: str) -> str:
    known = document_models.TYPE_OF_MODEL.get(model or "")
    return document_type if known is None else known.value


class Naming:
    """Folders and names for one company and month. `UsageFault` for templates that make no sense."""

    def __init__(
        self, company: str, month: Month, profile: Profile, templates: Templates, events: Events = Events.OWN
    ) -> None:
        self._events = events
        self._company = company
        self._month = month
        self._profile = profile
        self._folder = FolderName(templates.folder)
        self._document = FileNameTemplate(templates.document, DOCUMENT_FIELDS)
        self._is_plain = self._document.fields <= _PLAIN_FIELDS
        self._event = FileNameTemplate(templates.event, EVENT_FIELDS)
        self._voiding = FileNameTemplate(templates.voiding, VOIDING_FIELDS)
        self._values: dict[tuple[str | None, ...], dict[str, str]] = {}
        self._around: dict[tuple[object, ...], tuple[str, ...]] = {}  # the texts of names around the key
        self._folders: dict[tuple[str | None, ...], str] = {}

    def folder(self, sheet: Sheet, kind: str) -> str:
        """The folders above the paper's file, with a `/` behind; `kind` is nfe, cte, mdfe or event."""
        asked = (kind, sheet.direction, sheet.type, sheet.model, sheet.state)
        folder = self._folders.get(asked)
        if folder is None:
            half = cancelled_profiles.half(self._profile, sheet.state)
            folder = (f"{half}/" if half else "") + self._folder.of(self._common(sheet, kind))
            self._folders[asked] = folder
        return folder

    def event_folder(self, sheet: EventSheet) -> str:
        """The folders above an event's file: its own, or those of its document."""
        if self._events is Events.OWN:
            return self.folder(sheet, EVENT)
        return self.document_folder(sheet, sheet.access_key)

    def document_folder(self, sheet: Sheet, access_key: str | None) -> str:
        """The folders above a document's file; the last is its own where events go inside."""
        folder = self.folder(sheet, kind_of(sheet))
        if self._events is Events.INSIDE and access_key:
            folder = f"{folder}{segment(access_key)}/"
        return folder

    def document(self, sheet: DocumentSheet) -> str:
        key = sheet.access_key
        if not self._is_plain or key is None or len(key) < _SAFE or not (key.isascii() and key.isalnum()):
            return self._document.of(self._document_values(sheet))
        # Names of hundreds of thousands differ by nothing but a key in which no system finds anything to refuse.
        asked = (len(key), sheet.direction, sheet.type, sheet.model, sheet.state, _is_answered(sheet))
        around = self._around.get(asked)
        if around is None:
            around = self._around[asked] = self._texts_around(sheet, len(key))
        return key.join(around) if around else self._document.of(self._document_values(sheet))

    def _texts_around(self, sheet: DocumentSheet, length: int) -> tuple[str, ...]:
        """What the name of a document like this has before, between and after keys of that length.

        Empty where a system refuses something in it.
        """
        values = self._document_values(sheet)
        around = self._document.raw({**values, "key": "\0" * length}).split("\0" * length)
        name = ("0" * length).join(around)
        return tuple(around) if segment(name) == name else ()

    def raw(self, sheet: DocumentSheet) -> tuple[str, ...]:
        """Folders and name of a document as the templates have them: what a system refuses in them still stands."""
        return (
            *self._folder.raw(self._common(sheet, kind_of(sheet))),
            self._document.raw(self._document_values(sheet)),
        )

    def _document_values(self, sheet: DocumentSheet) -> dict[str, str]:
        kind = kind_of(sheet)
        values = self._common(sheet, kind)
        values["key"] = sheet.access_key or f"no-key-{sheet.digest.hex()[:16]}"
        values["ending"] = f"proc{_LAWS.get(kind, kind)}" if _is_answered(sheet) else kind
        if self._is_plain:
            return values
        values["series"] = _text(sheet.series)
        values["number"] = _text(sheet.number)
        values["day"] = sheet.issued_on
        values["emitter"] = sheet.emitter_tax_id or _UNKNOWN
        values["recipient"] = sheet.recipient_tax_id or _UNKNOWN
        return values

    def event(self, sheet: EventSheet) -> str:
        values = self._common(sheet, EVENT)
        values["key"] = sheet.access_key
        values["ending"] = f"procEvento{_LAWS.get(kind_of(sheet), _UNKNOWN)}" if sheet.registered else "ped-eve"
        values["code"] = sheet.code or _UNKNOWN
        values["sequence"] = _text(sheet.sequence)
        values["day"] = (sheet.occurred_at or "")[:10] or _UNKNOWN
        return self._event.of(values)

    def voiding(self, sheet: DocumentSheet, voided: Voiding | None, registered: bool) -> str:
        kind = kind_of(sheet)
        values = self._common(sheet, kind)
        values["ending"] = f"procInut{_LAWS.get(kind, kind)}" if registered else "ped-inu"
        values["uf"] = (voided and voided.uf_code) or _UNKNOWN
        values["year"] = (voided and voided.year) or _UNKNOWN
        values["emitter"] = sheet.emitter_tax_id or _UNKNOWN
        values["series"] = _text(sheet.series)
        values["first"] = _text(voided.first if voided else None)
        values["last"] = _text(voided.last if voided else None)
        values["day"] = sheet.issued_on
        return self._voiding.of(values)

    def _common(self, sheet: Sheet, kind: str) -> dict[str, str]:
        """What every template knows, as a dictionary of the caller's own."""
        asked = (kind, sheet.direction, sheet.type, sheet.model, sheet.state)
        values = self._values.get(asked)
        if values is None:
            values = self._values[asked] = {
                "company": self._company,
                "month": self._month.text,
                "kind": kind,
                "direction": sheet.direction,
                "type": sheet.type,
                "model": sheet.model or _UNKNOWN,
                "state": sheet.state,
            }
        return values.copy()


def _is_answered(sheet: DocumentSheet) -> bool:
    """Whether an answer of the authority stands beside the document; a national NFS-e is its own."""
    return sheet.cstat is not None and sheet.model not in document_models.SELF_AUTHORIZED


def lot_name(sources: Sequence[str], sha256: str) -> str:
    """A file with many papers keeps the name it came with; what a hub gave has none."""
    for source in sources:
        if not source.startswith("hub:"):
            name = segment(source.replace("\\", "/").rstrip("/").rpartition("/")[2])
            return name if name.lower().endswith(".xml") else segment(f"{name}.xml")
    return f"lot-{sha256[:16]}.xml"


def _text(number: int | None) -> str:
    return _UNKNOWN if number is None else str(number)
