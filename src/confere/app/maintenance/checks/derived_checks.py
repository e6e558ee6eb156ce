"""What a check-up says of what the archive derives: values that are not what computing them anew gives, by table."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from typing import Final

from confere.app.maintenance.checks.check_result import Examination, some
from confere.archive.derived import invariants
from confere.archive.derived.difference import ValueDifference
from confere.archive.derived.invariants import Violations
from confere.archive.maintenance.health import Verification
from confere.archive.store import Archive
from confere.errors import message, nmessage
from confere.system import formatting

_NAMED: Final = 100  # keys that a fact has of one column


def of_cheap_invariants(archive: Archive, examination: Examination) -> None:
    """What every check-up looks at."""
    with archive.reading() as transaction:
        violations = invariants.broken(transaction, thorough=False)
    _violations(examination, violations)


def of_verification(examination: Examination, verification: Verification) -> None:
    """Values that differ, by table, with their columns and the first keys; then what does not hold between rows."""
    differences = verification.differences
    _differences(examination, differences)
    _violations(examination, verification.violations, {(one.table, one.column, one.key) for one in differences})
    _reconciliations(examination, verification)
    examination.facts["verdicts_by_another_basis"] = verification.by_another_basis
    if verification.by_another_basis:
        examination.add(
            "archive",
            True,
            nmessage(
                "The verdict of {count} content was found by other rules or certificates than today's and was not"
                " compared; `confere verify` judges it anew.",
                "The verdicts of {count} contents were found by other rules or certificates than today's and were not"
                " compared; `confere verify` judges them anew.",
                verification.by_another_basis,
            ),
            attention=True,
        )


def _reconciliations(examination: Examination, verification: Verification) -> None:
    """Which accounts had their links and findings computed again, and why others had not."""
    examination.facts["reconciliations"] = [
        {"account": account.name, "compared": account.is_compared, "differences": len(account.differences)}
        for account in verification.judged
    ]
    for account in verification.judged:
        if account.is_compared:
            continue
        examination.add(
            "archive",
            True,
            message(
                "{account}: links and findings were not compared, because something else differs; they are compared"
                " after `confere doctor --repair`.",
                account=account.name,
            )
            if verification.inputs_differ or not account.is_readable
            else message(
                "{account}: links and findings were not compared, because something came or changed since the last"
                " run; `confere reconcile` brings them up to date.",
                account=account.name,
            ),
        )


def _differences(examination: Examination, differences: Iterable[ValueDifference]) -> None:
    keys: dict[str, dict[str, dict[str, None]]] = defaultdict(lambda: defaultdict(dict))
    for difference in differences:
        keys[difference.table][difference.column][difference.key] = None
    examination.facts["differences"] = [
        {"table": table, "column": column, "count": len(named), "keys": list(named)[:_NAMED]}
        for table, columns in keys.items()
        for column, named in columns.items()
    ]
    for table, columns in keys.items():
        names = tuple(dict.fromkeys(name for named in columns.values() for name in named))
        examination.add(
            "archive",
            False,
            message(
                "In the archive's table {table} something else stands than its bytes, records and decisions give:"
                " {columns} of {count} ({names}). Run `confere doctor --repair`.",
                table=table,
                columns=", ".join(columns),
                count=formatting.count(len(names)),
                names=some(names),
            ),
        )


def _violations(
    examination: Examination, violations: Iterable[Violations], said: Collection[tuple[str, str, str]] = ()
) -> None:
    """Each in a sentence, but for those of which everything was `said` by table, column and key."""
    examination.facts["invariants"] = [
        {
            "invariant": entry.invariant.name,
            "table": entry.invariant.table,
            "column": entry.invariant.column,
            "count": len(entry.names),
            "keys": list(entry.names[:_NAMED]),
        }
        for entry in violations
    ]
    for entry in violations:
        place = entry.invariant.table, entry.invariant.column
        if all((*place, name) in said for name in entry.names):
            continue
        examination.add(
            "archive",
            False,
            message(
                "{rule} It is not so in table {table} of {count} ({names}). Run `confere doctor --repair`.",
                rule=entry.sentence,
                table=entry.invariant.table,
                count=formatting.count(len(entry.names)),
                names=some(entry.names),
            ),
        )
