"""What a check-up says of the chains: the audit trail line by line, closings and their rows, time stamps."""

from __future__ import annotations

from collections import Counter
from typing import Final

from confere.app.closing import stamp
from confere.app.context import Workspace
from confere.app.labels.closing_labels import moment_text
from confere.app.labels.labels import action_word
from confere.app.maintenance.checks.check_result import Examination
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


def of_chains(workspace: Workspace, archive: Archive, examination: Examination) -> None:
    """Follow both chains, read every frozen row back, and look at what time stamps say of their heads."""
    with archive.reading() as transaction:
        trail = audit_chain.verify(transaction)
        closed = chain_check.verify(transaction)
        stored = stamps.every(transaction)
    examination.facts["audit_chain"] = {
        "lines": trail.lines,
        "head": trail.head,
        "broken": [{"line": line.number, "what": line.broken.value} for line in trail.broken],
    }
    examination.facts["closing_chain"] = {
        "acts": closed.acts,
        "head": closed.head,
        "broken": [
            {"closing": fault.number, "subject": fault.subject, "what": fault.broken.value, "rows": fault.rows}
            for fault in closed.broken
        ],
    }
    _lines(examination, trail.broken)
    _closings(examination, closed.broken)
    if not trail.broken and not closed.broken:
        examination.add(
            "chain",
            True,
            message(
                "The audit trail and the closed months are as they were written: {lines} lines, {acts} closings.",
                lines=formatting.count(trail.lines),
                acts=formatting.count(closed.acts),
            ),
        )
    _stamps(examination, stamp.read_back(stored, workspace.home))


def _lines(examination: Examination, broken: tuple[BrokenLine, ...]) -> None:
    shown: Counter[AuditBreak] = Counter()
    for line in broken:
        shown[line.broken] += 1
        if shown[line.broken] <= _NAMED:
            params = {"number": line.number, "at": moment_text(line.at), "action": action_word(line.action)}
            well = line.broken is AuditBreak.LOST_IN_REPAIR
            examination.add("chain", well, Message(_LINES[line.broken], params), attention=True)


def _closings(examination: Examination, broken: tuple[BrokenClosing, ...]) -> None:
    for fault in broken[: 2 * _NAMED]:
        params = {"number": fault.number, "subject": fault.subject, "rows": fault.rows}
        examination.add("chain", False, Message(_CLOSINGS[fault.broken], params))


def _stamps(examination: Examination, read: tuple[stamp.ReadStamp, ...]) -> None:
    examination.facts["time_stamps"] = [
        {
            "closing": each.stored.number,
            "stamped_at": None if each.facts is None else each.facts.stamped_at,
            "fits": each.facts is not None and each.facts.fits,
            "trusted": None if each.facts is None else each.facts.trusted,
        }
        for each in read
    ]
    for each in read:
        subject = f"{each.stored.company} {each.stored.month}"
        if not each.holds:
            examination.add(
                "chain",
                False,
                message(
                    "The time stamp of closing {number} ({subject}) is not of its head, or not by an authority that"
                    " is trusted here.",
                    number=each.stored.number,
                    subject=subject,
                ),
            )
        elif each.facts is not None:
            moment = formatting.moment(each.facts.stamped_at.astimezone(BRASILIA))
            examination.add(
                "chain",
                True,
                message(
                    "Closing {number} ({subject}) was stamped on {moment}.",
                    number=each.stored.number,
                    subject=subject,
                    moment=moment,
                )
                if each.facts.trusted
                else message(
                    "Closing {number} ({subject}) was stamped on {moment}; no certificate is given to verify by whom.",
                    number=each.stored.number,
                    subject=subject,
                    moment=moment,
                ),
            )
