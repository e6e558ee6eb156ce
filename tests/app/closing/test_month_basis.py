"""What a closing stood on: a stretch listed since, one that is lost, and a term that is otherwise."""

from __future__ import annotations

import pytest

from confere.app.closing import month_basis
from confere.app.closing.month_basis import TermsChange
from confere.app.labels import closing_labels
from confere.sales.closings import FiledCoverage, FiledTerms, MonthRows


def listed(first: str, last: str, finished: str | None = "x", narrowed: str = "") -> FiledCoverage:
    return FiledCoverage(1, "created", f"2026-{first}T03:00:00Z", f"2026-{last}T03:00:00Z", narrowed, "m", finished)


def rows(*coverage: FiledCoverage, preferences: str = "{}") -> MonthRows:
    return MonthRows(coverage=coverage, terms=(FiledTerms(1, "loja", preferences),))


def spans(filed: MonthRows, now: MonthRows) -> list[tuple[str, str, bool]]:
    changes = month_basis.coverage_changes(filed, now, "2026-10")
    assert all((change.account, change.axis) == ("loja", "created") for change in changes)
    return [(f"{each.from_at:%m-%d %H}", f"{each.to_at:%m-%d %H}", each.is_listed) for each in changes]


def test_only_what_was_not_listed_then_is_told_and_no_more_than_the_month() -> None:
    filed = rows(listed("09-20", "10-05"), listed("10-10", "10-20"))
    now = rows(listed("10-03", "10-12"), listed("10-12", "11-20"), listed("09-20", "10-05"))
    assert spans(filed, now) == [("10-05 00", "10-10 00", True), ("10-20 00", "11-01 00", True)]
    assert spans(now, filed) == [("10-05 00", "10-10 00", False), ("10-20 00", "11-01 00", False)]
    assert spans(now, now) == []


def test_what_did_not_come_to_its_end_or_lists_some_alone_lists_nothing() -> None:
    assert spans(rows(), rows(listed("10-01", "10-09", None), listed("10-01", "10-09", narrowed="NFE"))) == []


def test_a_term_that_was_never_set_was_the_program_s_own() -> None:
    now = rows(preferences='{"terms": {"tolerance": 5, "visible_series": ["a"]}, "relist_days": 30}')
    assert month_basis.terms_changes(rows(), now) == (
        TermsChange("loja", "relist_days", "", "30"),
        TermsChange("loja", "tolerance", "1", "5"),
        TermsChange("loja", "visible_series", "", '["a"]'),
    )
    assert month_basis.terms_changes(now, now) == ()


@pytest.mark.parametrize(
    ("name", "text", "shown"),
    [
        (
            "visible_series",
            '["11222333000181/55/1", "11222333000181/55/2"]',
            "11222333000181/55/1, 11222333000181/55/2",
        ),
        ("visible_series", "", "-"),
        ("tolerance", "150", "R$ 1,50"),
        ("freight_by_cte", "false", "no"),
        ("standing_days", "60", "60"),
    ],
)
def test_terms_are_told_as_the_settings_have_them(name: str, text: str, shown: str) -> None:
    assert closing_labels.term_value(name, text) == shown
    assert "_" not in closing_labels.term_name(name)
