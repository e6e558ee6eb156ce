"""What a check-up says of the chains: the audit trail line by line, closings and their rows, time stamps."""

from __future__ import annotations

from collections import Counter
from typing import Final

from confere.app.closing import stamp
from confere.app.context import Workspace
from confere.app.labels.closing_labels import moment_text
from confere.app.labels.labels import action_word
from confere.app.maintenance.check_result import Examination
from confere.archive.accounts import audit_chain
from confere.archive.accounts.audit_chain import AuditBreak, BrokenLine
from confere.archive.closing import chain_check, stamps
from confere.archive.closing.chain_check import BrokenClosing, ClosingBreak
from confere.archive.store import Archive
from confere.errors import N_, Message, message
from confere.fiscal.periods import BRASILIA
from confere.system import formatting

_NAMED: Final = 5  # lines and rows that are told one by one; the facts have all
_LINES: Final = {
    AuditBreak.EDITED: N_("Line {number} of the audit trail ({at}, {action}) was edited."),
    AuditBreak.TEXT_EDITED: N_("The text of line {number} of the audit trail ({at}, {action}) was edited."),
    AuditBreak.LINES_MISSING: N_(
        "Before line {number} of the audit trail ({at}, {action}) lines are missing, were put in or moved."
    ),
    AuditBreak.END_MISSING: N_("The audit trail ends at line {number} ({at}, {action}), and was longer."),
    AuditBreak.NOT_CHAINED: N_("Line {number} of the audit trail ({at}, {action}) was written by another program."),
    AuditBreak.LOST_IN_REPAIR: N_(
        "Before line {number} of the audit trail ({at}, {action}) lines were lost with a damaged file."
    ),
}
_CLOSINGS: Final = {
    ClosingBreak.ACT_EDITED: N_("Closing {number} ({subject}) was edited, or its list of rows was."),
    ClosingBreak.ROWS_EDITED: N_("Rows that closing {number} ({subject}) froze were edited: {rows}."),
    ClosingBreak.ACTS_MISSING: N_("Before closing {number} ({subject}) closings are missing or were put in."),
    ClosingBreak.NOT_AUDITED: N_("The audit trail knows nothing of closing {number} ({subject})."),
    ClosingBreak.GONE: N_("A closing of {subject} stands in the audit trail and is not there."),
}


def of_chains(workspace: Workspace, archive: Archive, found: Examination) -> None:
    """Follow both chains, read every frozen row back, and look at what time stamps say of their heads."""
    with archive.reading() as transaction:
        trail = audit_chain.verify(transaction)
        closed = chain_check.verify(transaction)
        stored = stamps.every(transaction)
    found.facts["audit_chain"] = {
        "lines": trail.lines,
        "head": trail.head,
        "broken": [{"line": line.number, "what": line.broken.value} for line in trail.broken],
    }
    found.facts["closing_chain"] = {
        "acts": closed.acts,
        "head": closed.head,
        "broken": [
            {"closing": entry.number, "subject": entry.subject, "what": entry.broken.value, "rows": entry.rows}
            for entry in closed.broken
        ],
    }
    _lines(found, trail.broken)
    _closings(found, closed.broken)
    if not trail.broken and not closed.broken:
        found.add(
            "chain",
            True,
            message(
                "The audit trail and the closed months are as they were written: {lines} lines, {acts} closings.",
                lines=formatting.count(trail.lines),
                acts=formatting.count(closed.acts),
            ),
        )
    _stamps(found, stamp.read_back(stored, workspace.home))


def _lines(found: Examination, broken: tuple[BrokenLine, ...]) -> None:
    shown: Counter[AuditBreak] = Counter()
    for line in broken:
        shown[line.broken] += 1
        if shown[line.broken] <= _NAMED:
            params = {"number": line.number, "at": moment_text(line.at), "action": action_word(line.action)}
            well = line.broken is AuditBreak.LOST_IN_REPAIR
            found.add("chain", well, Message(_LINES[line.broken], params), attention=True)


def _closings(found: Examination, broken: tuple[BrokenClosing, ...]) -> None:
    for entry in broken[: 2 * _NAMED]:
        params = {"number": entry.number, "subject": entry.subject, "rows": entry.rows}
        found.add("chain", False, Message(_CLOSINGS[entry.broken], params))


def _stamps(found: Examination, read: tuple[stamp.ReadStamp, ...]) -> None:
    found.facts["time_stamps"] = [
        {
            "closing": entry.stored.number,
            "stamped_at": None if entry.facts is None else entry.facts.stamped_at,
            "fits": entry.facts is not None and entry.facts.fits,
            "trusted": None if entry.facts is None else entry.facts.trusted,
        }
        for entry in read
    ]
    for entry in read:
        subject = f"{entry.stored.company} {entry.stored.month}"
        if not entry.holds:
            found.add(
                "chain",
                False,
                message(
                    "The time stamp of closing {number} ({subject}) is not of its head, or not by an authority that"
                    " is trusted here.",
                    number=entry.stored.number,
                    subject=subject,
                ),
            )
        elif entry.facts is not None:
            moment = formatting.moment(entry.facts.stamped_at.astimezone(BRASILIA))
            found.add(
                "chain",
                True,
                message(
                    "Closing {number} ({subject}) was stamped on {moment}.",
                    number=entry.stored.number,
                    subject=subject,
                    moment=moment,
                )
                if entry.facts.trusted
                else message(
                    "Closing {number} ({subject}) was stamped on {moment}; no certificate is given to verify by whom.",
                    number=entry.stored.number,
                    subject=subject,
                    moment=moment,
                ),
            )
