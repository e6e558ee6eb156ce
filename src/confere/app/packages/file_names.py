"""The use case "how shall exported files be called": templates tried on a real document before they are kept."""

from __future__ import annotations

from dataclasses import dataclass, replace

from confere.app.archive_session import OpenArchive
from confere.app.packages.name_preview import NamePreview as NamePreview
from confere.app.packages.name_preview import PreviewedName as PreviewedName
from confere.app.packages.name_preview import preview_names as preview_names
from confere.archive.documents import export_queries
from confere.archive.documents.export_queries import DocumentSheet
from confere.errors import N_, Message
from confere.export import field_words
from confere.export.months import Month, known_companies, month_of, months_of
from confere.export.package.cancelled_profiles import Profile
from confere.export.package.name_templates import (
    DOCUMENT_FIELDS,
    EVENT_FIELDS,
    FOLDER_FIELDS,
    VOIDING_FIELDS,
    Templates,
)
from confere.export.package.paper_names import Naming, kind_of

_MEANINGS = {
    "company": N_("CNPJ or CPF of the company that the package is for"),
    "month": N_("month, as in 2026-10"),
    "kind": N_("family: nfe, cte, event, or the type of another model"),
    "direction": N_("in or out, as the company sees it"),
    "type": N_("type: nfe, nfce, cte, cteos, mdfe, nfse, nfcom, nf3e, bpe, gtve, dce, cfe, voiding or other"),
    "model": N_("model: 55, 65, 57, 67, 58 …; nfse for an NFS-e"),
    "state": N_("state: authorized, cancelled, denied…"),
    "key": N_("access key, 44 characters, of an NFS-e 50"),
    "ending": N_("ending that importers look for, such as procNFe"),
    "series": N_("series"),
    "number": N_("number; with :09 behind the name it fills up with zeros"),
    "day": N_("day of issue, as in 2026-10-31"),
    "emitter": N_("CNPJ or CPF of the emitter"),
    "recipient": N_("CNPJ or CPF of the recipient"),
    "code": N_("code of the event, such as 110111"),
    "sequence": N_("number of the event among those of its kind"),
    "uf": N_("IBGE code of the state whose authority voided the numbers"),
    "year": N_("year of the voided numbers, two digits"),
    "first": N_("first voided number"),
    "last": N_("last voided number"),
}
_FIELDS = {"folder": FOLDER_FIELDS, "document": DOCUMENT_FIELDS, "event": EVENT_FIELDS, "voiding": VOIDING_FIELDS}
_EXAMPLES = {"code": "110111", "sequence": "1", "uf": "35", "year": "26", "first": "101", "last": "110"}


@dataclass(frozen=True, slots=True)
class Placeholder:
    """A name that may stand in braces; `word` is what the user's language calls it.

    `known_by` are the templates that know it: folder, document, event, voiding, in this order. `example` is what it
    gives for an invented note, event or voiding.
    """

    name: str
    word: str
    meaning: Message
    known_by: tuple[str, ...]
    example: str

    @property
    def in_folders(self) -> bool:
        """Whether folders know it too."""
        return "folder" in self.known_by


@dataclass(frozen=True, slots=True)
class Sample:
    """The document that templates are tried on; `invented` where the archive has none yet."""

    company: str
    month: Month
    sheet: DocumentSheet
    invented: bool


def standard() -> Templates:
    """The names that are used where nobody chose others."""
    return Templates()


def shown(template: str) -> str:
    """A template with the names of the user's language."""
    return field_words.shown(template)


def kept(template: str) -> str:
    """A template as it is kept, with the English names."""
    return field_words.kept(template)


def placeholders() -> tuple[Placeholder, ...]:
    """Every name that a folder or a file may use."""
    shown = invented()
    return tuple(
        Placeholder(
            name,
            field_words.word(name),
            Message(meaning),
            tuple(template for template, known in _FIELDS.items() if name in known),
            _EXAMPLES.get(name) or example(shown, "-", f"{{{name}}}.xml")[2:-4],
        )
        for name, meaning in _MEANINGS.items()
    )


def check(which: str, template: str) -> None:
    """`UsageFault` where the template (of folder, document, event or voiding) makes no sense; an empty one does."""
    if template:
        Naming("", month_of("2000-01"), Profile.WITH_CANCELLATIONS, replace(standard(), **{which: template}))


def sample(opened: OpenArchive) -> Sample:
    """A document of the newest month of a company, else an invented one."""
    if opened.exists:
        archive = opened.archive()
        for company in known_companies(archive):
            months = sorted(entry.month for entry in months_of(archive, company) if entry.month)
            for month in map(month_of, months[-1:]):
                with archive.reading() as transaction:
                    ids = next(export_queries.document_ids(transaction, company, month.first_day, month.last_day), ())
                    sheets = export_queries.documents(transaction, company, ids[:1])
                if sheets:
                    return Sample(company, month, sheets[0], False)
    return invented()


def example(found: Sample, folder: str, document: str) -> str:
    """Folder and name of the sample in a package; an empty template is the standard one. `UsageFault` for a bad one."""
    usual = standard()
    templates = Templates(folder=folder or usual.folder, document=document or usual.document)
    naming = Naming(found.company, found.month, Profile.WITH_CANCELLATIONS, templates)
    name = naming.document(found.sheet)
    return naming.folder(found.sheet, kind_of(found.sheet)) + name


def invented() -> Sample:
    """A document that stands for one where there is none."""
    company = "11222333000181"
    key = "35261011222333000181550010000047111000047115"
    return Sample(
        company,
        month_of("2026-10"),
        DocumentSheet(
            id=0,
            content_id=0,
            digest=b"",
            size=0,
            type="nfe",
            access_key=key,
            model="55",
            series=1,
            number=4711,
            issued_at="2026-10-31T10:00:00-03:00",
            issued_on="2026-10-31",
            emitter_tax_id=company,
            recipient_tax_id="11444777000161",
            state="authorized",
            cstat="100",
            direction="out",
            documents_in_file=1,
            events_in_file=0,
            verdict=None,
        ),
        True,
    )
