"""The use case "may this month be handed over": what a package would hold and lack, before it is written."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain

from confere.app.archive_session import OpenArchive
from confere.app.packages import export
from confere.app.packages.export import ExportChoice
from confere.archive.documents import export_queries
from confere.archive.documents.export_queries import DocumentGroup as DocumentGroup
from confere.archive.documents.search.document_search import NOT_JUDGED
from confere.archive.hub.completeness import Lack
from confere.export.months import month_of
from confere.export.package import cancelled_profiles
from confere.export.package.cancelled_profiles import Profile
from confere.export.package.missing import NOT_AUTHENTIC, MissingFiles
from confere.export.package.preview import ExportPreview
from confere.fiscal.model import VOID
from confere.system.processes.cancellation import Stop

_BY_SYNC = frozenset({str(Lack.NOT_DOWNLOADED), "not_listed", "list_short"})


@dataclass(frozen=True, slots=True)
class ExportVerdict:
    """What the packages of a month would hold. `groups` are of all companies chosen, as the profile wants them."""

    month: str
    previews: tuple[ExportPreview, ...]
    groups: tuple[DocumentGroup, ...]

    @property
    def documents(self) -> int:
        return sum(entry.contents.documents for entry in self.previews)

    @property
    def events(self) -> int:
        return sum(entry.contents.events for entry in self.previews)

    @property
    def earlier_events(self) -> int:
        """How many of `events` are on documents of earlier months."""
        return sum(entry.contents.earlier_events for entry in self.previews)

    @property
    def xml(self) -> int:
        return sum(entry.contents.xml for entry in self.previews)

    @property
    def worth(self) -> int:
        """Centavos of the documents in effect."""
        return sum(group.worth for group in self.groups if group.state not in VOID)

    @property
    def missing(self) -> tuple[MissingFiles, ...]:
        """Everything that lacks, each sentence once: the list of an account may be every company's."""
        every = chain.from_iterable(entry.contents.missing for entry in self.previews)
        return tuple({(lack.kind, str(lack.what), lack.names): lack for lack in every}.values())

    @property
    def waiting(self) -> int:
        """How many XML were listed and are not here yet."""
        return sum(lack.count for lack in self.missing if lack.kind == Lack.NOT_DOWNLOADED)

    @property
    def can_be_fetched(self) -> bool:
        """Whether a sync may bring what lacks."""
        return any(lack.kind in _BY_SYNC for lack in self.missing)

    @property
    def not_authentic(self) -> tuple[str, ...]:
        """Keys of what is kept back because it is not authentic."""
        return tuple(name for lack in self.missing if lack.kind == NOT_AUTHENTIC for name in lack.names)

    @property
    def unverified(self) -> int:
        """How many of the documents nobody has checked yet."""
        return sum(entry.contents.verdicts.get(NOT_JUDGED, 0) for entry in self.previews)

    @property
    def is_complete(self) -> bool:
        """Whether there is something, and nothing lacks."""
        return self.xml > 0 and not self.missing


def verdict(opened: OpenArchive, choice: ExportChoice, stop: Stop | None = None) -> ExportVerdict:
    """What `export` would write for this choice. Raises as `export.preview` does."""
    previews = export.preview(opened, choice, stop)
    month = month_of(choice.options.month)
    profile = Profile(choice.profile)
    merged: dict[tuple[str, str, str], DocumentGroup] = {}
    with opened.reading() as transaction:
        for entry in previews:
            for group in export_queries.groups(transaction, entry.contents.company, month.first_day, month.last_day):
                if not cancelled_profiles.wants_document(profile, group.state):
                    continue
                key = (group.type, group.direction, group.state)
                known = merged.get(key)
                merged[key] = group if known is None else _sum(known, group)
    return ExportVerdict(month.text, previews, tuple(merged[key] for key in sorted(merged)))


def _sum(one: DocumentGroup, other: DocumentGroup) -> DocumentGroup:
    return one._replace(documents=one.documents + other.documents, worth=one.worth + other.worth)
