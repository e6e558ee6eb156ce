"""The live preview of name templates: the first names of a month's package, and what is wrong with each."""

from __future__ import annotations

from typing import NamedTuple

from confere.app.archive_session import OpenArchive
from confere.archive.documents import export_queries
from confere.archive.documents.export_queries import DocumentSheet
from confere.errors import Message, UsageFault, message
from confere.export.months import month_of
from confere.export.package.cancelled_profiles import Profile
from confere.export.package.name_templates import Templates
from confere.export.package.paper_names import Naming
from confere.export.package.request import company_of
from confere.export.package.selection import Outgoing, Selection
from confere.fiscal.model import DocumentType
from confere.system.files.safe_names import segment

_FEW = 12


class PreviewedName(NamedTuple):
    """A path inside the package, with `/` between folders; `problems` say what was changed to make it possible."""

    path: str
    problems: tuple[Message, ...]


class NamePreview(NamedTuple):
    """What templates give. With a `refusal` (they make no sense, or company or month do not) there are no names."""

    names: tuple[PreviewedName, ...]
    refusal: UsageFault | None

    @property
    def has_problems(self) -> bool:
        """Whether a template is refused, or a name had to be changed."""
        return self.refusal is not None or any(name.problems for name in self.names)


def preview_names(
    opened: OpenArchive,
    company: str,
    month: str,
    *,
    folder: str = "",
    document: str = "",
    event: str = "",
    voiding: str = "",
    profile: str = Profile.WITH_CANCELLATIONS.value,
    limit: int = _FEW,
) -> NamePreview:
    """The first `limit` names of `company` in `month` (`YYYY-MM`), in the package's order.

    An empty template is the standard one. Reads no more of the archive than these names need, so that it can follow
    the typing; raises `ArchiveError` as every reader does, never `UsageFault`.
    """
    usual = Templates()
    templates = Templates(
        folder=folder or usual.folder,
        document=document or usual.document,
        event=event or usual.event,
        voiding=voiding or usual.voiding,
    )
    try:
        owner, wanted, chosen = company_of(company), month_of(month), Profile(profile)
        naming = Naming(owner, wanted, chosen, templates)
        selection = Selection(owner, wanted, chosen, templates, with_not_authentic=True)
    except UsageFault as refusal:
        return NamePreview((), refusal)
    if not opened.exists:
        return NamePreview((), None)
    with opened.archive().reading() as transaction:
        ids = next(export_queries.document_ids(transaction, owner, wanted.first_day, wanted.last_day), ())
        files = selection.of_documents(transaction, ids[:limit]).files
    return NamePreview(tuple(PreviewedName(file.entry.path, _problems(file, naming)) for file in files[:limit]), None)


def _problems(file: Outgoing, naming: Naming) -> tuple[Message, ...]:
    problems: list[Message] = []
    if "renamed" in file.entry.notes:
        problems.append(message("Another file has this name: a part of its SHA-256 was added."))
    if "shortened" in file.entry.notes:
        problems.append(message("The path was too long for Windows and was cut."))
    sheet = file.entry.sheet
    if isinstance(sheet, DocumentSheet) and sheet.type != DocumentType.VOIDING and "lot" not in file.entry.notes:
        for piece in naming.raw(sheet):
            if piece != segment(piece):
                problems.append(message("{name} is not possible on Windows: it was changed.", name=piece))
    return tuple(problems)
