"""The one tree of errors: a title, what happened, what to do; the world's fault and our bug told apart.

A message is an id (its English text) with parameters, so that every face can render it in the user's
language (`confere.system.messages`). Foreign exceptions are converted once, at the edge of the room that
uses the library.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Final

CONTEXT_END: Final = "\x04"
"""Ends the context of an id, in the catalogues as in gettext."""


PLURAL_START: Final = "\0"
"""Parts the forms of a sentence that counts, in ids and in their translations, as in gettext's compiled catalogues."""


def N_(text: str) -> str:
    """Mark `text` for the catalogue without translating it yet."""
    return text


def NN_(one: str, many: str) -> str:
    """The id of a sentence that counts: `one` where its number asks for the singular, else `many`.

    Both have the same placeholders, `{count}` among them as a rule: languages differ in the form that 0 has.
    """
    return f"{one}{PLURAL_START}{many}"


def NC_(context: str, text: str) -> str:
    """The id of `text` where it has the meaning that `context` names; marks it for the catalogue, like `N_`.

    For an English word that other languages translate by two: `t(NC_("period", "From"))`. The id is gettext's own form.
    """
    return f"{context}{CONTEXT_END}{text}"


def without_context(id: str) -> str:
    """The English text of a sentence's id."""
    return id.rpartition(CONTEXT_END)[2]


class WrittenDay(str):
    """A day as Brazilian papers write it, `31/10/2026`, in a sentence; English shows it as ISO 8601 writes it.

    A text like any other where it is stored, compared and sent, so that it does not differ by who ran it.
    """

    __slots__ = ()

    @property
    def iso(self) -> str:
        """`2026-10-31`"""
        return f"{self[6:]}-{self[3:5]}-{self[:2]}"

    @staticmethod
    def of(text: str) -> str:
        """`text` as such a day where it is one, else itself."""
        if len(text) != 10 or not text[2] == text[5] == "/":  # most are not: no pattern is tried on them
            return text
        day, month, year = text[:2], text[3:5], text[6:]
        is_day = (day + month + year).isdecimal() and 1 <= int(day) <= 31 and 1 <= int(month) <= 12
        return WrittenDay(text) if is_day else text


@dataclass(frozen=True, slots=True)
class Message:
    """A sentence of the core: its English text is its id in the catalogue, `params` fill the braces.

    `texts` are its own texts by language (`pt_BR`), of what no catalogue holds: the rows of a table of the law. They
    are for showing: what is stored of a message is its id and its parameters.
    """

    id: str
    params: Mapping[str, object] = field(default_factory=dict)
    texts: Mapping[str, str] | None = field(default=None, compare=False, repr=False)

    def __str__(self) -> str:
        text = without_context(self.id)
        if PLURAL_START not in text:
            return text.format_map(self.params) if self.params else text
        one, _, many = text.partition(PLURAL_START)
        number = self.params.get("n")
        return (one if number == 1 else many).format_map({"count": number, **self.params})


def message(id: str, /, **params: object) -> Message:
    """Build a `Message`; the catalogue's extractor looks for calls of this name."""
    return Message(id, params)


def nmessage(one: str, many: str, n: int, /, **params: object) -> Message:
    """Build a `Message` that counts: `n` chooses its form in each language, and is its `{count}`."""
    return Message(f"{one}{PLURAL_START}{many}", {"n": n, **params})


class ConfereError(Exception):
    """Root of the tree.

    `what` says what happened and names the thing; `remedy` says what the user can do. `exit_code` is what a
    scheduler sees: 2 for wrong use, 3 for "cannot".
    """

    title: ClassVar[str] = N_("Something went wrong")
    exit_code: ClassVar[int] = 3

    def __init__(self, what: Message, remedy: Message | None = None) -> None:
        super().__init__(what, remedy)
        self.what = what
        self.remedy = remedy

    def __str__(self) -> str:
        return f"{self.what} {self.remedy}" if self.remedy else str(self.what)


class UsageFault(ConfereError):
    """The user asked for something that makes no sense; nothing was tried."""

    title = N_("That does not work like this")
    exit_code = 2


class EnvironmentFault(ConfereError):
    """The world around the program failed it: disk, network, hub, another process. Not our bug."""

    title = N_("Something outside Confere stopped it")


class HomeGone(EnvironmentFault):
    """The data folder that a person chose is not there, or cannot be known."""


class Bug(ConfereError):
    """A promise of our own code was broken."""

    title = N_("This is a fault of Confere")


class BridgeApart(Bug):
    """The lines of a month's bridge do not come to the invoices authorized."""

    title = N_("The bridge of the month does not tie")


# -- the hub ---------------------------------------------------------------------------------------------


class HubError(EnvironmentFault):
    """The hub could not be used. `status` is its HTTP status, `hub_words` what its body said."""

    title = N_("The hub did not answer as it should")

    def __init__(
        self,
        what: Message,
        remedy: Message | None = None,
        *,
        status: int | None = None,
        hub_words: str = "",
    ) -> None:
        super().__init__(what, remedy)
        self.status = status
        self.hub_words = hub_words


class HubUnreachable(HubError):
    title = N_("The hub cannot be reached")


class HubTlsFailed(HubUnreachable):
    title = N_("The hub's certificate is not trusted")


class HubRefusedToken(HubError):
    title = N_("The hub refused the token")


class HubRefusedRequest(HubError):
    """400 or 422: the hub says that the request is wrong."""

    title = N_("The hub refused the request")


class HubNotFound(HubError):
    title = N_("The hub does not know this")


class HubTooBusy(HubError):
    """429 that did not go away within the allowed attempts."""

    title = N_("The hub asks to slow down")


class HubBroken(HubError):
    """5xx that did not go away within the allowed attempts."""

    title = N_("The hub has a fault of its own")


class HubAnswerUnreadable(HubError):
    """A 200 whose body is not what the specification says (HTML, cut short, wrong type)."""

    title = N_("The hub's answer cannot be read")


class HubAddressRefused(UsageFault):
    title = N_("This address cannot be used")


# -- the archive -----------------------------------------------------------------------------------------


class ArchiveError(EnvironmentFault):
    title = N_("The archive cannot be used")


class ArchiveLocked(ArchiveError):
    title = N_("Another process is writing to the archive")


class ArchiveNewer(ArchiveError):
    title = N_("The archive was made by a newer Confere")


class ArchiveOlder(ArchiveError):
    """It has to be brought up to date before it can be read; any command that writes does so."""

    title = N_("The archive was made by an older Confere")


class ArchiveCorrupt(ArchiveError):
    title = N_("The archive is damaged")


class ArchiveForeign(ArchiveCorrupt):
    """Its tables, indexes, triggers or views are not those that Confere makes."""

    title = N_("The archive is not as Confere makes it")


class ArchiveMissing(ArchiveError):
    title = N_("There is no archive here")


class ArchiveGone(ArchiveError):
    """There is none, but there was one: an empty one is not begun in its place."""

    title = N_("The archive is not in its place")


class ArchiveWithoutLocks(ArchiveError):
    """The locks of its file system do nothing, so that nobody may write to it."""

    title = N_("The archive cannot be protected here")


class DiskFull(ArchiveError):
    title = N_("The disk is full")


class BackupRefused(ArchiveError):
    """A file that cannot take the archive's place: no backup of Confere's, damaged, or cut off."""

    title = N_("This backup cannot be used")


class BackupMissing(UsageFault):
    """No file is where a backup was said to be."""

    title = N_("This backup was not found")


class NotInArchive(UsageFault):
    title = N_("The archive does not hold this")


# -- the paper -------------------------------------------------------------------------------------------


class PaperError(ConfereError):
    """Bytes that claim to be a fiscal document and cannot be read; they are kept all the same."""

    title = N_("This file cannot be read as XML")


class PaperHostile(PaperError):
    """XML or an archive built to harm: entities, endless nesting, absurd size, path tricks."""

    title = N_("This file was refused as unsafe")


# -- the rest --------------------------------------------------------------------------------------------


class SecretUnavailable(EnvironmentFault):
    title = N_("The token cannot be kept or found")


class PassphraseUnavailable(SecretUnavailable):
    """There is no passphrase for a backup, or it is not the one that the backup was encrypted with."""

    title = N_("The passphrase does not open the backup")


class ExportRefused(EnvironmentFault):
    title = N_("The package was not written")


class Cancelled(ConfereError):
    """The user stopped the work; what was done stays done."""

    title = N_("Stopped at your request")
    exit_code = 1
