"""What a check-up says of backups: how many there are, how old, what was lost since, and what audit trail they hold."""

from __future__ import annotations

from typing import Final

from confere.app.backups import backup_copies
from confere.app.backups.backup_status import BackupCopy, BackupStatus, CopyState
from confere.app.context import Workspace
from confere.app.labels.labels import action_word
from confere.app.maintenance.checks.check_result import Examination
from confere.archive.clock import from_text
from confere.archive.maintenance.backups import trail_standing
from confere.archive.maintenance.backups.trail_standing import HeadPlace
from confere.archive.store import Archive
from confere.errors import UsageFault, message, nmessage
from confere.fiscal.periods import BRASILIA
from confere.system import formatting

_FEWEST: Final = 8  # hex digits of a head that a person types


def of_backups(workspace: Workspace, examination: Examination) -> None:
    """How many whole copies there are, whether the newest is young enough and holds what older ones do."""
    state = backup_copies.status(workspace)
    examination.facts["backups"] = {
        "whole": len(state.whole),
        "days": state.days,
        "alarm_days": state.alarm_days,
        "damaged": sum(copy.state is CopyState.DAMAGED for copy in state.copies),
        "holding_more": [held.record.path for held in state.holding_more],
        "drill": None if state.drill is None else {"at": state.drill.at.isoformat(), "passed": state.drill.passed},
    }
    for alarm in state.alarms:
        examination.add("backup", False, alarm)
    if state.whole and not state.alarms:
        examination.add("backup", True, state.sentence)
    if state.drill_sentence is not None and (state.drill is None or state.drill.passed):
        examination.add("backup", True, state.drill_sentence, attention=state.drill is None)
    for copy in state.copies:
        if copy.state is CopyState.DAMAGED:
            what = message("The backup {path} is damaged and does not count; remove it.", path=str(copy.path))
            examination.add("backup", True, what, attention=True)
    if state.second_folder is not None and not state.second_reachable:
        what = message("The second folder {path} for backups is not there just now.", path=str(state.second_folder))
        examination.add("backup", True, what, attention=True)
    _heads(state, examination)


def of_head(archive: Archive, head: str, examination: Examination) -> None:
    """Where the hash that a person holds stands, such as the one printed on a package or a ledger.

    Raises `UsageFault` for what is no hash.
    """
    digits = "".join(head.split()).lower()
    if not _FEWEST <= len(digits) <= 64 or not set(digits) <= set("0123456789abcdef"):
        raise UsageFault(
            message("{text} is no hash of the chain.", text=head),
            message("Write its hex digits, at least the first {count}.", count=_FEWEST),
        )
    with archive.reading() as transaction:
        found = trail_standing.find_head(transaction, digits)
    examination.facts["audit_head"] = None if found is None else found._asdict()
    if found is None:
        examination.add(
            "chain",
            False,
            message(
                "Neither the audit trail nor the chain of closings holds {head}: it is of another archive, or lines"
                " were rewritten or cut off.",
                head=head,
            ),
        )
        return
    params = {
        "head": head,
        "moment": formatting.moment(from_text(found.at).astimezone(BRASILIA)),
        "subject": found.subject,
    }
    if found.closing is not None:
        what = message(
            "{head} is the hash of closing {number} ({subject}), of {moment}.", number=found.closing, **params
        )
    else:
        what = message(
            "{head} is the hash of line {number} of the audit trail ({action}, {subject}), of {moment}.",
            number=found.line,
            action=action_word(found.action),
            **params,
        )
    examination.add("chain", True, what)


def _heads(state: BackupStatus, examination: Examination) -> None:
    """Whether the audit trail still holds the line that was its last one in each copy."""
    places: dict[HeadPlace, list[BackupCopy]] = {place: [] for place in HeadPlace}
    for copy in state.whole:
        place = state.head_place(copy)
        if place is not None:
            places[place].append(copy)
    examination.facts["backup_heads"] = {place.value: len(copies) for place, copies in places.items()}
    missing, lost, held = places[HeadPlace.MISSING], places[HeadPlace.LOST], places[HeadPlace.HELD]
    for copies, well in ((missing, False), (lost, True)):
        if not copies:
            continue
        first = min(copies, key=lambda copy: (copy.number, copy.made_at))
        assert first.record is not None
        params = {
            "line": first.record.audit_line,
            "moment": formatting.moment(first.made_at),
            "path": str(first.path),
        }
        what = (
            message(
                "Line {line} of the audit trail, as the backup of {moment} holds it ({path}), was lost with a damaged"
                " file.",
                **params,
            )
            if well
            else message(
                "The audit trail does not hold line {line} as it was when the backup of {moment} was made ({path}):"
                " it was rewritten or cut off since.",
                **params,
            )
        )
        examination.add("chain", well, what, attention=True)
    if held and not missing and not lost:
        examination.add(
            "chain",
            True,
            nmessage(
                "The audit trail holds what it ended with in {count} backup.",
                "The audit trail holds what it ended with in each of {count} backups.",
                len(held),
            ),
        )
