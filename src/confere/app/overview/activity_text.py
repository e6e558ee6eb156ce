"""What a run was asked for and what came of it, as labels and sentences."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, Final

from confere.app.labels import labels
from confere.archive.documents.recompute import CURRENT_CHANGED
from confere.errors import N_, Message, message
from confere.system import formatting
from confere.system.messages import render

_LABELS: Final = {
    # of a sync
    "listed": N_("Documents listed"),
    "new": N_("New"),
    "updated": N_("Changed"),
    "downloaded": N_("XML downloaded"),
    "already": N_("XML already here"),
    "failed": N_("Downloads that failed"),
    "not_understood": N_("Not understood"),
    "without_file": N_("Events without a file"),
    "requests": N_("Requests"),
    "throttled": N_("Asked to slow down"),
    # of an import
    "files": N_("Files"),
    "recorded": N_("Recorded"),
    "duplicates": N_("Already here"),
    "unreadable": N_("Not readable"),
    "ignored": N_("Neither XML nor ZIP"),
    # of an export, too
    "documents": N_("Documents"),
    "events": N_("Events"),
    "xml": N_("XML files"),
}
# By what one content of a key comes before another, as `archive.settling` names it.
_RANKED_BY: Final = {
    "verdict": N_("its authenticity is the better one"),
    "is_test": N_("it was issued for real, not as a test"),
    "unauthorized": N_("the authority authorized it"),
    "unanswered": N_("it came with an answer of the authority"),
    "from_elsewhere": N_("the hub's record of this key brought it"),
    "answered_at": N_("the authority answered it earlier"),
    "sha256": N_("nothing tells them apart, and its SHA-256 is the smaller one"),
    "position": N_("it stands before the other in its file"),
}
# What runs of these kinds count has names of its own: nothing of them is downloaded.
_OF_KIND: Final = {
    "verify": {
        "judged": N_("Checked now"),
        "events_judged": N_("Events checked now"),
        "documents": N_("Documents"),
        "ok": N_("Authentic"),
        "unchecked": N_("Could not be checked"),
        "failed": N_("Not authentic"),
        "altered": N_("Of these altered after signing"),
        "test": N_("Test documents"),
        "none": N_("Not checked yet"),
        "failing_events": N_("Events that failed"),
        "damaged": N_("Damaged contents"),
        "set_aside": N_("Set aside"),
    },
    "reindex": {
        "contents": N_("Files read again"),
        "documents": N_("Documents"),
        "events": N_("Events"),
        "adopted": N_("Readable now"),
        "unreadable": N_("Not readable"),
        "damaged": N_("Damaged contents"),
    },
    "reconcile": {
        "open": N_("Open findings"),
        "not_checked": N_("Not checked"),
        "explained": N_("Explained"),
        "ignored": N_("Ignored"),
        "new": N_("New"),
        "closed": N_("No longer found"),
        "reopened": N_("Came back"),
        "changed": N_("Changed since they were settled"),
        "automatic": N_("Links by evidence"),
        "manual": N_("Links by a person"),
        "ambiguous": N_("Ambiguous"),
        "orders": N_("Orders in the archive"),
        "documents": N_("Documents in the archive"),
    },
    "unattended": {
        "new": N_("New documents"),
        "updated": N_("Changed documents"),
        "new_orders": N_("New orders"),
        "changed_orders": N_("Changed orders"),
        "new_findings": N_("New findings"),
        "new_grave_findings": N_("Of these of high severity"),
        "not_authentic": N_("Not authentic"),
        "failed_accounts": N_("Accounts that failed"),
        "reports": N_("Reports written"),
    },
    "orders": {
        "listed": N_("Orders listed"),
        "new": N_("New orders"),
        "changed": N_("Changed orders"),
        "asked": N_("Orders asked for by number"),
        "absent": N_("Orders the hub does not have"),
        "failed": N_("Orders that failed"),
        "marked": N_("Marked as read in the feed"),
        "returns": N_("New or changed returns"),
        "requests": N_("Requests"),
    },
    "feeds": {
        "fetched": N_("Records fetched"),
        "changed": N_("New or changed records"),
        "prices": N_("Published prices"),
        "absent": N_("Records the hub does not have"),
        "failed": N_("Records that failed"),
        "marked": N_("Marked as read in the feed"),
        "requests": N_("Requests"),
    },
    "orders import": {
        "rows": N_("Lines"),
        "orders": N_("Orders"),
        "new": N_("New orders"),
        "changed": N_("Changed orders"),
        "same": N_("Already here"),
        "outranked": N_("Left as the hub tells them"),
        "left_out": N_("Lines of sums left out"),
        "unreadable": N_("Lines not readable"),
    },
    "catalog": {
        "listed": N_("Products listed"),
        "new": N_("New"),
        "changed": N_("Changed"),
        "refused": N_("Refused, with a reason"),
        "gone": N_("No longer listed"),
        "requests": N_("Requests"),
    },
    "catalog push": {
        "created": N_("Rows created at the hub"),
        "changed": N_("Rows changed at the hub"),
        "unchanged": N_("Rows as the hub has them"),
        "refused": N_("Refused by the hub"),
        "failed": N_("Without an answer"),
        "not_sent": N_("Not sent"),
    },
    "write_back": {
        "requested": N_("Orders"),
        "written": N_("Given their invoice"),
        "already": N_("Had it already"),
        "refused": N_("Refused by the hub"),
        "changed": N_("Changed since the preview"),
        "unconfirmed": N_("Not confirmed"),
        "failed": N_("Without an answer"),
        "not_sent": N_("Not sent"),
    },
    "order_moves": {
        "requested": N_("Orders"),
        "written": N_("Moved"),
        "already": N_("Were so already"),
        "under_way": N_("Under way"),
        "declined": N_("Early shipments that failed"),
        "refused": N_("Refused by the hub"),
        "changed": N_("Changed since the preview"),
        "unconfirmed": N_("Not confirmed"),
        "failed": N_("Without an answer"),
        "not_sent": N_("Not sent"),
    },
}
_COMPANY_MONTH: Final = re.compile(r"([0-9A-Z]{11,14}) (\d{4}-\d{2})")
_SUBJECTS: Final = {"archive": N_("archive"), "documents": N_("documents")}
_MOST_PATHS = 5


def counts(kind: str, of: Mapping[str, Any]) -> tuple[tuple[Message, int], ...]:
    """The figures of a run in the order in which they are told; zeros are left out, all but the first."""
    labels = _OF_KIND.get(kind, _LABELS)
    known = [(label, of[name]) for name, label in labels.items() if type(of.get(name)) is int]
    return tuple((Message(label), number) for place, (label, number) in enumerate(known) if number or not place)


def parameters(kind: str, of: Mapping[str, Any]) -> tuple[Message, ...]:
    """What was asked for, one sentence each; none where it was the usual."""
    if kind == "export":
        return _of_export(of)
    if kind == "reconcile":
        return _of_reconciliation(of)
    found: list[Message] = []
    if of.get("full") is True:
        found.append(message("Everything was listed again."))
    if of.get("only_failed") is True:
        found.append(message("Only failed downloads were tried again."))
    narrowed = of.get("narrowed")
    if isinstance(narrowed, str):
        found += narrowing(narrowed)
    paths = of.get("paths")
    if isinstance(paths, list):
        found += [message("From {path}", path=str(path)) for path in paths[:_MOST_PATHS]]
        if len(paths) > _MOST_PATHS:
            found.append(message("and {count} more", count=len(paths) - _MOST_PATHS))
    return tuple(found)


def subject(action: str, text: str) -> str:
    """What a line of the audit trail is about: a name, a company and its month, or a word of ours for all there is."""
    if action in _OF_KIND and text in _SUBJECTS:
        return render(Message(_SUBJECTS[text]))
    month = _COMPANY_MONTH.fullmatch(text)
    return text if month is None else f"{labels.tax_id_word(month[1])} · {labels.month_word(month[2])}"


def detail(action: str, text: str | None) -> tuple[Message, ...]:
    """What the audit trail says beside a line's subject."""
    if not text:
        return ()
    if action == CURRENT_CHANGED:
        return _another_content(text)
    return narrowing(text) if action == "sync" else (Message(text),)


def narrowing(text: str) -> tuple[Message, ...]:
    """What a sync was narrowed to; empty for everything. What is not understood is told as it stands."""
    if not text:
        return ()
    try:
        given = json.loads(text)
    except ValueError:
        given = None
    if not isinstance(given, dict):
        return (Message(text),)
    found = []
    for name, value in given.items():
        if name == "type":
            found.append(message("Only documents of type {type}", type=str(value)))
        elif name == "marketplace":
            found.append(message("Only marketplace {marketplace}", marketplace=str(value)))
        elif name == "order":
            found.append(message("Only order {order}", order=str(value)))
        else:
            found.append(Message(f"{name}: {value}"))
    return tuple(found)


def _another_content(text: str) -> tuple[Message, ...]:
    before, after, why = [*text.split(" "), "", "", ""][:3]
    if why not in _RANKED_BY:
        return (Message(text),)
    said = message("{before}… gave way to {after}…:", before=before[:12], after=after[:12])
    return said, Message(_RANKED_BY[why])


def _of_reconciliation(of: Mapping[str, Any]) -> tuple[Message, ...]:
    period, as_of = of.get("period"), of.get("as_of")
    found = [labels.month(period) if isinstance(period, str) else message("All months")]
    if isinstance(as_of, str):
        found.append(message("As of {moment}", moment=formatting.moment(as_of)))
    return tuple(found)


def _of_export(of: Mapping[str, Any]) -> tuple[Message, ...]:
    found = []
    if of.get("company") and of.get("month"):
        found.append(
            message(
                "{company}, {month}",
                company=labels.tax_id_word(str(of["company"])),
                month=labels.month(str(of["month"])),
            )
        )
    profile = of.get("profile")
    if isinstance(profile, str):
        found.append(Message(labels.PROFILES.get(profile, profile)))
    return tuple(found)
