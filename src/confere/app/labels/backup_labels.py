"""What the state and the place of a backup are called, and what a restore would lose, in every face."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from confere.app.backups.backup_copies import CopyPlaceKind, CopyState
from confere.app.backups.restored_accounts import RestoredAccount, RestoredChange
from confere.archive.clock import from_text
from confere.archive.maintenance.backups.restore_losses import FETCHED, LossKind
from confere.archive.maintenance.set_aside import ASIDE
from confere.errors import N_, NC_, Message, message
from confere.fiscal.periods import BRASILIA
from confere.system import formatting
from confere.system.messages import render, t
from confere.system.plain_text import plain

LossTold = tuple[str, int | None, str | None]
"""A kind as `LossKind` has it, how many (None: they could not be read), and when the newest came, UTC text."""

STATES: Final[Mapping[CopyState, str]] = {
    CopyState.WHOLE: N_("whole"),
    CopyState.DAMAGED: N_("damaged"),
    CopyState.UNCHECKED: NC_("copy", "not checked"),
    CopyState.OTHER: N_("of another archive"),
}
PLACES: Final[Mapping[CopyPlaceKind, str]] = {
    CopyPlaceKind.BACKUPS: N_("backups folder"),
    CopyPlaceKind.SECOND: N_("second folder"),
    CopyPlaceKind.ELSEWHERE: N_("elsewhere"),
}
# One of a kind, many of it, and its name alone.
_LOSSES: Final[Mapping[LossKind, tuple[str, str, str]]] = {
    LossKind.DECISIONS: (
        N_("1 decision on a finding"),
        N_("{count} decisions on findings"),
        N_("decisions on findings"),
    ),
    LossKind.LINKS: (N_("1 link decided by hand"), N_("{count} links decided by hand"), N_("links decided by hand")),
    LossKind.CLOSINGS: (
        N_("1 closing or reopening of a month"),
        N_("{count} closings and reopenings of months"),
        N_("closings and reopenings of months"),
    ),
    LossKind.SIGN_OFFS: (
        N_("1 signature under the findings of a month"),
        N_("{count} signatures under the findings of months"),
        N_("signatures under the findings of months"),
    ),
    LossKind.TAGS: (N_("1 tag"), N_("{count} tags"), N_("tags")),
    LossKind.TAGGED: (N_("1 document given a tag"), N_("{count} documents given a tag"), N_("tags on documents")),
    LossKind.SEARCHES: (N_("1 saved search"), N_("{count} saved searches"), N_("saved searches")),
    LossKind.ACCOUNTS: (N_("1 account"), N_("{count} accounts"), N_("accounts")),
    LossKind.DOCUMENTS: (N_("1 document"), N_("{count} documents"), N_("documents")),
    LossKind.EVENTS: (N_("1 event"), N_("{count} events"), N_("events")),
    LossKind.ORDERS: (N_("1 order"), N_("{count} orders"), N_("orders")),
}


def state_word(state: CopyState) -> str:
    """What is known of a copy."""
    return render(Message(STATES[state]))


def place_word(place: CopyPlaceKind) -> str:
    """Where a copy stands."""
    return render(Message(PLACES[place]))


def loss_texts(losses: Iterable[LossTold]) -> list[str]:
    """How many of each kind a backup lacks, and when the newest came; of which it lacks none are left out."""
    return [_loss_text(LossKind(kind), count, newest) for kind, count, newest in losses if count != 0]


def loss_lines(losses: Iterable[LossTold] | None, mark: str) -> list[str]:
    """What a backup lacks of the archive that it replaces: a sentence, and a line with `mark` before it for each kind.

    None: the archive cannot be read.
    """
    if losses is None:
        return [t("So nobody can say what the backup lacks of it.")]
    lost = [loss for loss in losses if loss[1] != 0]
    if not lost:
        return [t("The backup lacks nothing of the archive that it replaces.")]
    fetched = [kind in FETCHED for kind, _, _ in lost]
    if all(fetched):
        hope = t("What a hub has of it comes back with the next sync.")
    elif any(fetched):
        hope = t("Documents, events and orders of a hub come back with the next sync; the rest does not.")
    else:
        hope = t("No sync brings that back.")
    return [
        t("The backup lacks this of the archive that it replaces:"),
        *(f"{mark}{text}" for text in loss_texts(lost)),
        hope,
    ]


def account_lines(accounts: Iterable[RestoredAccount], mark: str, *, there: bool) -> list[str]:
    """The accounts that a backup brings, with their addresses, and what differs from the archive that is here (`there`:
    there is one): a sentence, and a line with `mark` before it for each; nothing where there are none."""
    lines = [f"{mark}{_account_text(account, there=there)}" for account in accounts]
    return [t("Accounts, and where they are after the restore:"), *lines] if lines else []


def _account_text(account: RestoredAccount, *, there: bool) -> str:
    name, address, before = plain(account.name), plain(account.address or ""), plain(account.present_address or "")
    match account.change:
        case RestoredChange.REMOVED:
            return t("{name}: not in the backup; it is at {address} now", name=name, address=before)
        case RestoredChange.MOVED:
            words = t("{name}: {address}, and no longer {before}", name=name, address=address, before=before)
        case RestoredChange.NEW if there:
            words = t("{name}: {address}; the archive that is here has no such account", name=name, address=address)
        case _:
            words = f"{name}: {address}"
    if account.is_disarmed:
        words += "; " + t("no token on this machine for that address: nothing is sent there")
    return words


def replaces_damaged(losses: Iterable[LossTold] | None) -> str:
    """That the archive that is here is damaged, or of a newer format: none of it can be read, or a part of it."""
    if losses is None:
        return t("It takes the place of an archive that cannot be read.")
    return t("It takes the place of an archive that cannot be read whole.")


def kept_line(archive: Path, *, comes_back: bool) -> str:
    """Where the archive that is here now will be, and how it comes back; one that is damaged does not."""
    name, folder = f"{ASIDE}….sqlite3", str(archive.parent)
    kept = t("The archive of now is kept as {name} in {folder}.", name=name, folder=folder)
    if comes_back:
        return f"{kept} {t('Restoring that file brings all of it back.')}"
    return f"{kept} {t('`confere doctor --repair`, run before the restore, saves what can still be read of it.')}"


def replaced_text(losses: Iterable[LossTold] | None, set_aside: str, *, comes_back: bool) -> str:
    """After a restore, in one paragraph: what the backup lacked, where the archive of before is, how it comes back."""
    sentences = [t("The archive that was here is kept as {path}.", path=set_aside)]
    if losses is None:
        sentences.insert(0, t("The archive that was here could not be read: nobody can say what the backup lacks."))
    elif texts := loss_texts(losses):
        what = "; ".join(texts)
        sentences.insert(0, t("The backup lacks this of the archive that it replaced: {what}.", what=what))
        sentences += [t("Restoring that file brings all of it back.")] if comes_back else []
    return " ".join(sentences)


def _loss_text(kind: LossKind, count: int | None, newest: str | None) -> str:
    one, many, name = _LOSSES[kind]
    if count is None:
        return render(message("{what}: they could not be read", what=Message(name)))
    what = Message(one) if count == 1 else Message(many, {"count": formatting.count(count)})
    if newest is None:
        return render(what)
    moment = formatting.moment(from_text(newest).astimezone(BRASILIA))
    if count == 1:
        return render(message("{what}, of {moment}", what=what, moment=moment))
    return render(message("{what}, the newest of {moment}", what=what, moment=moment))
