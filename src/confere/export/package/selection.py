"""What goes out for a company and month, and under which path: rows of the archive in, files of a package out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final, NamedTuple, TypeVar

from confere.archive.authenticity import verdicts
from confere.archive.documents import details, export_queries
from confere.archive.documents.export_queries import DocumentSheet, EventSheet, OtherCopy
from confere.archive.documents.search.document_search import NOT_JUDGED
from confere.archive.transaction import Transaction
from confere.export.months import Month
from confere.export.package import cancelled_profiles
from confere.export.package.cancelled_profiles import Profile
from confere.export.package.manifest import ManifestFile
from confere.export.package.name_templates import LONGEST_PATH, Templates
from confere.export.package.paper_names import EVENT, Naming, Sheet, kind_of, lot_name, package_of
from confere.export.package.request import Events
from confere.fiscal.authenticity.verdict import Result
from confere.fiscal.model import DocumentType, State
from confere.system.files.safe_names import LONGEST, Taken, marked
from confere.system.messages import render

MOST_REFERENCES: Final = 1000  # that the manifest names; all are counted

_Sheet = TypeVar("_Sheet", DocumentSheet, EventSheet)
_NO_NOTES: Final[tuple[str, ...]] = ()


class Outgoing(NamedTuple):
    """A file of the package. `package` is the model whose ZIP takes it, where each has its own."""

    content_id: int
    package: str
    entry: ManifestFile


class SelectionStep(NamedTuple):
    """What one look at the archive gave."""

    files: list[Outgoing]
    copies: list[tuple[str, OtherCopy]]  # with the package they belong to


class Selection:
    """Chooses and names; counts as it goes. `UsageFault` for templates that make no sense."""

    def __init__(
        self,
        company: str,
        month: Month,
        profile: Profile,
        templates: Templates,
        without: frozenset[int] = frozenset(),
        with_not_authentic: bool = False,
        events: Events = Events.OWN,
    ) -> None:
        """`without` are contents that cannot go out: their papers are not counted either."""
        self.verdicts: Counter[str] = Counter()  # of the documents that go out; `none`: not checked yet
        self.not_authentic: dict[str, str] = {}  # what is kept back: why it is not, by key or SHA-256
        self.documents: Counter[str] = Counter()  # by the package that takes them, as the next two
        self.events: Counter[str] = Counter()
        self.earlier_events: Counter[str] = Counter()
        self.left_out: Counter[str] = Counter()  # documents that the profile does not want, by state
        self.recorded_at: str | None = None  # when the newest of the files was, as UTC text
        self.references = 0
        self.first_references: list[tuple[str, str]] = []
        self._without = without
        self._with_not_authentic = with_not_authentic
        self._company = company
        self._profile = profile
        self._naming = Naming(company, month, profile, templates, events)
        self._taken = Taken()
        self._shared: set[int] = set()  # contents with several papers that are in the package

    def of_documents(self, transaction: Transaction, ids: Sequence[int]) -> SelectionStep:
        """The files of these documents, and of the events that belong to them."""
        sheets = export_queries.documents(transaction, self._company, ids)
        if self._without:
            sheets = tuple(sheet for sheet in sheets if sheet.content_id not in self._without)
        packages = {sheet.access_key: package_of(sheet) for sheet in sheets if sheet.access_key}
        wanted = self._authentic(transaction, self._wanted(sheets))
        self.documents.update(map(package_of, wanted))
        for number, count in Counter([sheet.verdict for sheet in wanted]).items():
            self.verdicts[verdicts.verdict_of(number) or NOT_JUDGED] += count
        kept = {sheet.access_key for sheet in wanted if sheet.access_key}
        sources = self._sources(transaction, [sheet.content_id for sheet in wanted])
        files = [
            self._document_file(transaction, sheet, sources.get(sheet.content_id, _NO_NOTES))
            for sheet in wanted
            if _is_alone(sheet) or self._is_first(sheet)
        ]
        files += self._event_files(transaction, export_queries.events(transaction, self._company, packages))
        copies = [(packages[copy.access_key], copy) for copy in export_queries.other_copies(transaction, kept)]
        pairs = export_queries.references_not_archived(transaction, kept)
        self.references += len(pairs)
        self.first_references += pairs[: MOST_REFERENCES - len(self.first_references)]
        return SelectionStep(files, copies)

    def of_earlier_events(self, transaction: Transaction, ids: Sequence[int]) -> SelectionStep:
        """The files of these events of the month, whose documents went out with an earlier month."""
        happened = export_queries.events_by_id(transaction, self._company, ids)
        return SelectionStep(self._event_files(transaction, happened, earlier=True), [])

    def _sources(self, transaction: Transaction, content_ids: Sequence[int]) -> dict[int, tuple[str, ...]]:
        """Where these contents came from; when the newest of them did is remembered."""
        arrivals = export_queries.arrivals(transaction, content_ids)
        if arrivals.newest is not None and arrivals.newest > (self.recorded_at or ""):
            self.recorded_at = arrivals.newest
        return arrivals.sources

    def _wanted(self, sheets: Sequence[DocumentSheet]) -> Sequence[DocumentSheet]:
        """Those that the profile wants; the others are counted."""
        states = {sheet.state for sheet in sheets}
        unwanted = {state for state in states if not cancelled_profiles.wants_document(self._profile, state)}
        if not unwanted:
            return sheets
        self.left_out.update([sheet.state for sheet in sheets if sheet.state in unwanted])
        return [sheet for sheet in sheets if sheet.state not in unwanted]

    def _authentic(self, transaction: Transaction, sheets: Sequence[_Sheet]) -> Sequence[_Sheet]:
        """Those that are not known not to be, unless they are asked for; the others are remembered."""
        # A test has no fiscal value: it is nothing to hand over either.
        unfit = {
            number
            for number in {sheet.verdict for sheet in sheets}
            if verdicts.verdict_of(number) in (Result.FAILED, Result.TEST)
        }
        failed = [sheet for sheet in sheets if sheet.verdict in unfit] if unfit else []
        events = [sheet.id for sheet in failed if isinstance(sheet, EventSheet)]
        if events:
            # A refused event is no forgery: it goes out as what it is, as it does before anybody checked it.
            refused = export_queries.refused_events(transaction, events)
            failed = [sheet for sheet in failed if not (isinstance(sheet, EventSheet) and sheet.id in refused)]
        if not failed or self._with_not_authentic:
            return sheets
        whys = verdicts.failed_whys(transaction, {sheet.content_id for sheet in failed})
        for sheet in failed:
            name = sheet.access_key or sheet.digest.hex()
            if isinstance(sheet, EventSheet):
                name = f"{name} {sheet.code or '-'}/{sheet.sequence or '-'}"
            self.not_authentic[name] = " ".join(render(why) for why in whys.get(sheet.content_id, ()))
        return [sheet for sheet in sheets if sheet not in failed]

    def _document_file(self, transaction: Transaction, sheet: DocumentSheet, sources: tuple[str, ...]) -> Outgoing:
        if sheet.documents_in_file > 1:
            return self._file(sheet, kind_of(sheet), lot_name(sources, sheet.digest.hex()), sources, ("lot",))
        if sheet.type == DocumentType.VOIDING:
            registered = sheet.state == State.VOIDED
            name = self._naming.voiding(sheet, details.voiding(transaction, sheet.id), registered)
            notes = _NO_NOTES if registered else ("not_registered",)
            return self._file(sheet, kind_of(sheet), name, sources, notes)
        return self._file(sheet, kind_of(sheet), self._naming.document(sheet), sources, _NO_NOTES)

    def _event_files(
        self, transaction: Transaction, sheets: Sequence[EventSheet], *, earlier: bool = False
    ) -> list[Outgoing]:
        asked_for = [
            sheet
            for sheet in sheets
            if sheet.content_id not in self._without
            and cancelled_profiles.wants_event(self._profile, sheet.state, sheet.code, sheet.model)
        ]
        wanted = self._authentic(transaction, asked_for)
        sources = self._sources(transaction, [sheet.content_id for sheet in wanted])
        files: list[Outgoing] = []
        for sheet in wanted:
            package = package_of(sheet)
            self.events[package] += 1
            self.earlier_events[package] += earlier
            if _is_alone(sheet) or self._is_first(sheet):
                found = sources.get(sheet.content_id, _NO_NOTES)
                files.append(self._event_file(sheet, found, ("earlier_document",) if earlier else _NO_NOTES))
        return files

    def _event_file(self, sheet: EventSheet, sources: tuple[str, ...], notes: tuple[str, ...]) -> Outgoing:
        if not _is_alone(sheet):
            return self._file(sheet, EVENT, lot_name(sources, sheet.digest.hex()), sources, (*notes, "lot"))
        if not sheet.registered:
            notes = (*notes, "not_registered")
        return self._file(sheet, EVENT, self._naming.event(sheet), sources, notes)

    def _file(self, sheet: Sheet, kind: str, name: str, sources: tuple[str, ...], notes: tuple[str, ...]) -> Outgoing:
        package = package_of(sheet)
        if isinstance(sheet, EventSheet):
            folder, issued_at = self._naming.event_folder(sheet), sheet.occurred_at
        else:
            folder, issued_at = self._naming.document_folder(sheet, sheet.access_key), sheet.issued_at
        if len(folder) + len(name) > LONGEST_PATH:
            name = marked(name, sheet.digest.hex()[:8], LONGEST_PATH - len(folder))
            notes = (*notes, "shortened")
        path = folder + name
        if not self._taken.take(f"{package}/{path}"):
            path, notes = self._other_path(package, folder, name, sheet.digest), (*notes, "renamed")
        return Outgoing(sheet.content_id, package, ManifestFile(path, sheet, kind, issued_at, sources, notes))

    def _other_path(self, package: str, folder: str, name: str, digest: bytes) -> str:
        """Where a name is taken, the content's own hash tells the two apart."""
        path, sha256 = "", digest.hex()
        for length in (8, 16, 64):
            path = folder + marked(name, sha256[:length], min(LONGEST, LONGEST_PATH - len(folder)))
            if self._taken.take(f"{package}/{path}"):
                break
        return path

    def _is_first(self, sheet: Sheet) -> bool:
        """Whether the content of this row, which has others, is not in the package yet."""
        if sheet.content_id in self._shared:
            return False
        self._shared.add(sheet.content_id)
        return True


def _is_alone(sheet: Sheet) -> bool:
    return sheet.documents_in_file + sheet.events_in_file <= 1
