"""The checklist of a month: exactly the planted gaps, and never "complete" where something was not looked at."""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest

from confere.app.accounts.freshness import clock
from confere.app.closing import bridge, close_month
from confere.app.closing.checklist import check_month
from confere.app.closing.checklist_line import (
    ChecklistLine,
    CompanyChecklist,
    LineCode,
    LineState,
    OfficeChecklist,
    RemedyKind,
    named,
)
from confere.app.closing.company_row import company_row
from confere.app.context import Workspace
from confere.app.labels import checklist_labels, labels
from confere.app.packages import verdict
from confere.app.packages.export import ExportChoice, PackageOptions
from confere.app.reconciliation import decisions, queries
from confere.app.reconciliation.queries import FindingFilter, FindingQuery
from confere.app.reconciliation.review import signoffs
from confere.archive.authenticity.verdict_codes import LETTERS, PLACES
from confere.cli.main import run
from confere.errors import UsageFault
from confere.fiscal.authenticity.verdict import Check, Result
from tests.app.closing import closing_world
from tests.app.closing.closing_world import ACCOUNT, COMPANY, GAP_MONTH, OTHER, ClosingWorld

WHOLE = "2026-03"  # nothing is planted in it
SOLD = (
    "SELECT d.access_key FROM document d JOIN taxpayer t ON t.id = d.emitter_id WHERE d.type = 'nfe'"
    f" AND t.tax_id = '{COMPANY}' AND d.issued_on LIKE '{WHOLE}%' ORDER BY d.number LIMIT 1 OFFSET 1"
)


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> ClosingWorld:
    return closing_world.made(tmp_path_factory)


def _check(home: Path, month: str = WHOLE, company: str | None = COMPANY, days: int = 0) -> OfficeChecklist:
    opened = closing_world.opened(home)
    try:
        return check_month(opened, month, company, now=clock() + timedelta(days=days))
    finally:
        opened.close()


def _company(home: Path, month: str = WHOLE, company: str = COMPANY, days: int = 0) -> CompanyChecklist:
    [found] = _check(home, month, company, days).companies
    return found


def _one(found: CompanyChecklist, code: LineCode) -> ChecklistLine:
    [line] = found.of(code)
    return line


def test_every_month_names_exactly_the_planted_gaps(world: ClosingWorld) -> None:
    planted = {month: world.planted("R12", month) for month in world.months}
    told = {}
    for month in world.months:
        lines = [_one(company, LineCode.NUMBER_GAPS) for company in _check(world.home, month, None).companies]
        told[month] = {name for line in lines for name in line.proof.names}
        state = LineState.PROBLEM if planted[month] else LineState.OK
        assert max(line.state == state for line in lines)
        assert sum(line.proof.counts["missing"] for line in lines) == len(planted[month])
    assert told == planted
    assert planted[GAP_MONTH]


def test_every_month_names_exactly_what_is_not_authentic(world: ClosingWorld) -> None:
    planted = {month: world.planted("R19", month) for month in world.months}
    told = {
        month: {
            name
            for company in _check(world.home, month, None).companies
            for line in company.of(LineCode.AUTHENTICITY)
            for name in line.proof.names
        }
        for month in world.months
    }
    assert told == planted
    assert any(planted.values())


def test_an_event_alone_that_is_not_authentic_is_named_and_its_document_is_not_blamed(
    world: ClosingWorld, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    of_month = f"SELECT access_key FROM document WHERE is_current = 1 AND issued_on LIKE '{GAP_MONTH}%'"
    events = f"SELECT content_id FROM event WHERE is_current = 1 AND embedded = 0 AND access_key IN ({of_month})"
    nothing = f"UPDATE document SET verdict = 0 WHERE access_key IN ({of_month})"
    home = world.changed(
        tmp_path / "home", nothing, f"UPDATE verdict SET result = 2 WHERE kind = 1 AND content_id IN ({events})"
    )
    line = _one(_company(home, GAP_MONTH), LineCode.AUTHENTICITY)
    assert (line.state, line.remedy_kind) == (LineState.PROBLEM, RemedyKind.NOT_AUTHENTIC)
    assert line.proof.named >= 1 and not line.proof.is_listed
    assert line.proof.command == f"confere verify {line.proof.names[0]}"
    assert str(line.what) == f"Events that are not authentic: {len(line.proof.events)}. No document failed."
    assert line.proof.counts["events_not_authentic"] == line.proof.counts["not_authentic"] == len(line.proof.events)
    assert {event.access_key for event in line.proof.events} == set(line.proof.names)
    event = line.proof.events[0]
    word = labels.event_word(event.code, None, event.access_key)
    capsys.readouterr()
    arguments = ["close", "--check", "--period", GAP_MONTH, "--company", COMPANY, "--lang", "en", "--home", str(home)]
    assert run(arguments) == 1
    assert f"{event.access_key} · the event alone: {word}" in capsys.readouterr().out
    assert run([*arguments, "--json"]) == 1
    [shape] = json.loads(capsys.readouterr().out)["companies"]
    [told] = [entry["proof"]["events"] for entry in shape["lines"] if entry["code"] == LineCode.AUTHENTICITY]
    assert {"key": event.access_key, "code": event.code, "sequence": event.sequence, "name": word,
            "document_too": False} in told  # fmt: skip
    home = world.changed(tmp_path / "other", f"UPDATE document SET verdict = 2 WHERE access_key IN ({of_month})")
    line = _one(_company(home, GAP_MONTH), LineCode.AUTHENTICITY)
    assert line.proof.is_listed and "--verdict failed" in line.proof.command
    assert not line.proof.events and str(line.what).startswith("Documents that are not authentic: ")
    home = world.changed(
        tmp_path / "both",
        f"UPDATE document SET verdict = 2 WHERE access_key IN ({of_month})",
        f"UPDATE verdict SET result = 2 WHERE kind = 1 AND content_id IN ({events})",
    )
    line = _one(_company(home, GAP_MONTH), LineCode.AUTHENTICITY)
    assert line.proof.events and all(event.with_document for event in line.proof.events)
    assert f"; events: {len(line.proof.events)}." in str(line.what)
    assert "the document and: " in checklist_labels.name_with_events(line.proof.events[0].access_key, line.proof.events)


REFUSED = (
    "SELECT e.id FROM event e JOIN document d ON d.access_key = e.access_key AND d.is_current = 1 JOIN belonging b"
    f" ON b.document_id = d.id WHERE b.tax_id = '{COMPANY}' AND d.issued_on LIKE '{WHOLE}%' AND e.is_current = 1"
    " AND e.embedded = 0 AND e.registered = 1 ORDER BY e.id LIMIT 1"
)


@pytest.mark.parametrize(("cstat", "like"), [("501", 0), ("573", 1)])
def test_a_refused_event_is_no_missing_document(
    world: ClosingWorld, tmp_path: Path, capsys: pytest.CaptureFixture[str], cstat: str, like: int
) -> None:
    """Its file holds but for the answer: there is nothing to ask the sender for, and the month can be complete."""
    place = PLACES[Check.PROTOCOL]
    home = world.changed(
        tmp_path / "home",
        "UPDATE verdict SET result = 2,"
        f" lines = substr(lines, 1, {place}) || '{LETTERS[Result.FAILED]}' || substr(lines, {place + 2})"
        f" WHERE kind = 1 AND (content_id, position) = (SELECT content_id, position FROM event WHERE id = ({REFUSED}))",
        f"UPDATE event SET registered = 0, cstat = '{cstat}' WHERE id = ({REFUSED})",
    )
    found = _company(home)
    assert found.is_complete
    assert _one(found, LineCode.AUTHENTICITY).state is LineState.OK
    line = _one(found, LineCode.REFUSED_EVENTS)
    assert (line.state, line.proof.counts) == (LineState.WARNING, {"events": 1, "like_one_registered": like})
    [event] = line.proof.events
    assert line.proof.names == (event.access_key,)
    assert ("the authority's portal" if like else "There is nothing to fetch") in str(line.remedy)
    opened = closing_world.opened(home)
    with closing(opened):
        assert not close_month.lacking(opened)(opened.archive(), COMPANY, WHOLE)
        handed = verdict.verdict(opened, ExportChoice(PackageOptions(WHOLE), COMPANY, tmp_path / "out"))
    assert handed.is_complete and not handed.not_authentic
    assert run(["close", "--check", "--period", WHOLE, "--company", COMPANY, "--home", str(home)]) == 0
    capsys.readouterr()


def test_a_refused_event_whose_own_signature_fails_is_not_authentic(world: ClosingWorld, tmp_path: Path) -> None:
    place = PLACES[Check.SIGNATURE]
    home = world.changed(
        tmp_path / "home",
        "UPDATE verdict SET result = 2,"
        f" lines = substr(lines, 1, {place}) || '{LETTERS[Result.FAILED]}' || substr(lines, {place + 2})"
        f" WHERE kind = 1 AND (content_id, position) = (SELECT content_id, position FROM event WHERE id = ({REFUSED}))",
        f"UPDATE event SET registered = 0, cstat = '573' WHERE id = ({REFUSED})",
    )
    found = _company(home)
    assert not found.is_complete and not found.of(LineCode.REFUSED_EVENTS)
    assert _one(found, LineCode.AUTHENTICITY).proof.counts["events_not_authentic"] == 1


def test_a_whole_month_is_complete(world: ClosingWorld) -> None:
    found = _check(world.home, company=None)
    assert found.is_complete
    assert {company.tax_id for company in found.companies} == {COMPANY, OTHER}
    company = _company(world.home)
    assert {line.code for line in company.lines if line.state is not LineState.OK} == {
        LineCode.ORDERS_OF_NO_COMPANY,
        LineCode.SIGNED,
        LineCode.EXPORTED,
        LineCode.CLOSED,
    }
    assert _one(company, LineCode.CONSERVATION).proof.counts["listed"] == world.truth["months"][WHOLE]
    assert company.documents == _one(company, LineCode.AUTHENTICITY).proof.counts["documents"]


@pytest.mark.parametrize(
    ("statement", "code", "state"),
    [
        ("DELETE FROM coverage WHERE axis = 'created'", LineCode.DOCUMENTS_LISTED, LineState.PROBLEM),
        ("DELETE FROM coverage WHERE axis = 'orders'", LineCode.ORDERS_LISTED, LineState.PROBLEM),
        ("DELETE FROM coverage WHERE axis = 'returns'", LineCode.RETURNS_LISTED, LineState.PROBLEM),
        (f"UPDATE document SET verdict = NULL WHERE access_key = ({SOLD})", LineCode.AUTHENTICITY,
         LineState.NOT_CHECKED),
        (f"UPDATE document SET verdict = 1 WHERE access_key = ({SOLD})", LineCode.AUTHENTICITY, LineState.NOT_CHECKED),
        (f"UPDATE document SET verdict = 2 WHERE access_key = ({SOLD})", LineCode.AUTHENTICITY, LineState.PROBLEM),
        ("DELETE FROM run WHERE kind = 'reconcile'", LineCode.FINDINGS, LineState.NOT_CHECKED),
        ("UPDATE account SET preferences = '{}'", LineCode.NUMBER_GAPS, LineState.NOT_CHECKED),
        (f"UPDATE belonging SET issued_on = '' WHERE tax_id = '{COMPANY}' AND document_id ="
         f" (SELECT id FROM document WHERE access_key = ({SOLD}))", LineCode.UNDATED, LineState.PROBLEM),
        (f"UPDATE download SET state = 'done', content_id = NULL WHERE hub_document_id = (SELECT id FROM hub_document"
         f" WHERE access_key = ({SOLD}))", LineCode.CONSERVATION, LineState.PROBLEM),
        (f"DELETE FROM hub_document WHERE access_key = ({SOLD})", LineCode.EVENTS_FRESH, LineState.NOT_CHECKED),
    ],
)  # fmt: skip
def test_what_lacks_or_was_not_looked_at_is_said(
    world: ClosingWorld, tmp_path: Path, statement: str, code: LineCode, state: LineState
) -> None:
    found = _company(world.changed(tmp_path, statement))
    assert _one(found, code).state is state
    assert not found.is_complete


def test_findings_name_the_only_account_and_the_command_that_lists_them(world: ClosingWorld, tmp_path: Path) -> None:
    line = _one(_company(world.home), LineCode.FINDINGS)
    assert line.account == closing_world.ACCOUNT
    assert line.proof.command == f"confere findings list --company {COMPANY} --period {WHOLE}"
    assert line.proof.since is not None
    # A second account of the company: the line is of none of them alone.
    second = (
        "INSERT INTO account (name, environment, address, platform, created_at) SELECT 'segunda', environment, address,"
        " platform, created_at FROM account",
        f"INSERT INTO establishment (account_id, tax_id) SELECT max(id), '{COMPANY}' FROM account",
    )
    assert _one(_company(world.changed(tmp_path, *second)), LineCode.FINDINGS).account == ""


def test_days_that_were_never_listed_are_named(world: ClosingWorld, tmp_path: Path) -> None:
    found = _company(
        world.changed(tmp_path, f"UPDATE coverage SET to_at = '{WHOLE}-30T02:59:59.999+00:00' WHERE axis = 'created'")
    )
    line = _one(found, LineCode.DOCUMENTS_LISTED)
    assert line.state is LineState.PROBLEM
    assert line.proof.names == (f"{WHOLE}-30", f"{WHOLE}-31")
    assert line.remedy_kind is RemedyKind.SYNC
    row = company_row(found)
    assert row.listed_through is not None
    assert row.listed_through.isoformat() == f"{WHOLE}-29"
    assert row.missing_known == 0


def test_nothing_is_said_to_be_missing_only_where_something_was_listed(world: ClosingWorld, tmp_path: Path) -> None:
    row = company_row(_company(world.changed(tmp_path, "DELETE FROM coverage WHERE axis = 'created'")))
    assert row.listed_through is None
    assert row.missing_known is None


def test_what_waits_is_named_for_the_company_that_it_is_of(world: ClosingWorld, tmp_path: Path) -> None:
    gone = f"(SELECT id FROM document WHERE access_key = ({SOLD}))"
    key = _scalar(world.home, SOLD)
    home = world.changed(
        tmp_path,
        f"UPDATE download SET state = 'failed', content_id = NULL WHERE hub_document_id = (SELECT id FROM hub_document"
        f" WHERE access_key = '{key}')",
        f"DELETE FROM belonging WHERE document_id = {gone}",
        f"DELETE FROM document WHERE access_key = '{key}'",
    )
    line = _one(_company(home), LineCode.NOT_DOWNLOADED)
    assert (line.state, line.proof.names, line.account) == (LineState.PROBLEM, (key,), ACCOUNT)
    assert not _company(home, company=OTHER).of(LineCode.NOT_DOWNLOADED)
    # The hub names its number: it is used, and no gap.
    assert not _one(_company(home), LineCode.NUMBER_GAPS).proof.names


def test_the_reviewers_signature_is_a_line_where_there_are_findings(world: ClosingWorld, tmp_path: Path) -> None:
    home = world.changed(tmp_path / "home")
    workspace = Workspace.at(home)
    line = _one(_company(home, GAP_MONTH), LineCode.SIGNED)
    assert (line.state, line.remedy_kind) == (LineState.WARNING, RemedyKind.FINDINGS)
    assert str(line.what) == "Nobody signed the findings of the month."
    signed = signoffs.sign(workspace, COMPANY, GAP_MONTH, "Ana")
    line = _one(_company(home, GAP_MONTH), LineCode.SIGNED)
    assert (line.state, line.remedy, line.proof.since) == (LineState.OK, None, signed.at)
    assert str(line.what).startswith("Signed by Ana on ")
    assert line.proof.counts == {"findings": signed.signed.findings, "open": signed.open_findings}
    with closing(closing_world.opened(home)) as opened:
        row = queries.findings(opened, FindingQuery(ACCOUNT, FindingFilter(period=GAP_MONTH)), 0, 1)[0]
        made = bridge.month_bridge(opened, ACCOUNT, GAP_MONTH, COMPANY)
    assert (made.facts.signed_by, len(made.facts.signed)) == ("Ana", 1) and made.facts.signed[0] in made.standing
    decisions.explain(workspace, [row.id], "agreed")
    line = _one(_company(home, GAP_MONTH), LineCode.SIGNED)
    assert line.state is LineState.WARNING and "withdrawn" in str(line.what)
    with closing(closing_world.opened(home)) as opened:
        assert bridge.month_bridge(opened, ACCOUNT, GAP_MONTH, COMPANY).facts.signed_by == ""


def test_a_page_of_several_companies_names_a_reviewer_only_where_each_is_signed(
    world: ClosingWorld, tmp_path: Path
) -> None:
    home = world.changed(tmp_path / "home")
    with closing(closing_world.opened(home)) as opened:
        page = partial(bridge.month_bridge, opened, ACCOUNT, GAP_MONTH, None)
        companies = sorted(page().placement.view.ledger.own)
        for count, company in enumerate(companies, 1):
            signoffs.sign(Workspace.at(home), company, GAP_MONTH, f"Ana {count}")
            facts = page().facts
            assert [str(what) for what in facts.signed] == [
                f"Companies whose month a reviewer signed: {count} of {len(companies)}."
            ]
            names = ", ".join(f"Ana {each}" for each in range(1, count + 1))
            assert facts.signed_by == (names if count == len(companies) else "")
    assert len(companies) > 1


def test_a_number_is_missing_until_it_is_declared_unused(world: ClosingWorld, tmp_path: Path) -> None:
    key = str(_scalar(world.home, SOLD))
    number, series = int(key[25:34]), int(key[22:25])
    without = (
        f"DELETE FROM download WHERE hub_document_id = (SELECT id FROM hub_document WHERE access_key = '{key}')",
        f"DELETE FROM hub_document WHERE access_key = '{key}'",
        f"DELETE FROM belonging WHERE document_id = (SELECT id FROM document WHERE access_key = '{key}')",
        f"DELETE FROM document WHERE access_key = '{key}'",
    )
    line = _one(_company(world.changed(tmp_path / "gap", *without)), LineCode.NUMBER_GAPS)
    assert line.state is LineState.PROBLEM
    assert line.proof.names == (f"{COMPANY}/55/{series}/{number}-{number}",)
    voided = (
        f'UPDATE voiding SET series = {series}, model = \'55\', "first" = {number}, "last" = {number}'
        f" WHERE document_id = (SELECT min(document_id) FROM voiding WHERE emitter = '{COMPANY}')"
    )
    declared = _one(_company(world.changed(tmp_path / "voided", *without, voided)), LineCode.NUMBER_GAPS)
    assert number not in [int(name.rpartition("-")[2]) for name in declared.proof.names]
    undeclared = "UPDATE account SET preferences = '{}'"
    possible = _one(_company(world.changed(tmp_path / "undeclared", *without, undeclared)), LineCode.NUMBER_GAPS)
    assert (possible.state, possible.proof.names) == (LineState.NOT_CHECKED, line.proof.names)
    assert possible.proof.counts["missing"] == 0


def test_events_grow_old_where_nothing_was_listed_again(world: ClosingWorld, tmp_path: Path) -> None:
    home = world.changed(tmp_path, "UPDATE account SET environment = 'sandbox'")
    assert _one(_company(home, days=6), LineCode.EVENTS_FRESH).state is LineState.OK
    old = _one(_company(home, days=9), LineCode.EVENTS_FRESH)
    assert old.state is LineState.NOT_CHECKED
    assert old.proof.counts["older"] == old.proof.named > 0
    assert old.proof.since is not None
    assert f"--month {WHOLE}" in old.proof.command


def test_a_company_without_an_account_is_never_complete(world: ClosingWorld) -> None:
    found = _company(world.home, company="11222333000181")
    assert found.state is LineState.NOT_CHECKED
    assert found.listed_until is None
    assert found.documents == 0


def test_the_worst_company_stands_first(world: ClosingWorld) -> None:
    found = _check(world.home, GAP_MONTH, None)
    assert [company.tax_id for company in found.companies] == [COMPANY, OTHER]
    assert [company.state for company in found.companies] == [LineState.PROBLEM, LineState.WARNING]
    assert company_row(found.companies[0]).gaps == 1
    assert not found.is_complete
    assert not OfficeChecklist(GAP_MONTH, ()).is_complete


def test_what_is_no_month_is_refused(world: ClosingWorld) -> None:
    with pytest.raises(UsageFault):
        _check(world.home, "2026-13")


def test_the_command_ends_with_1_where_a_window_was_never_listed(
    world: ClosingWorld, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = world.changed(tmp_path, "DELETE FROM coverage WHERE axis = 'created'")
    assert run(["close", "--check", "--period", WHOLE, "--json", "--lang", "en", "--home", str(home)]) == 1
    shape = json.loads(capsys.readouterr().out)
    assert shape["complete"] is False
    lines = [line for company in shape["companies"] for line in company["lines"] if line["code"] == "documents_listed"]
    assert [line["what"] for line in lines] == ["The fiscal documents of account loja were never listed."] * 2
    assert {line["state"] for line in lines} == {"problem"}


def test_the_command_ends_with_0_where_all_is_here(
    world: ClosingWorld, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = tmp_path / "home"
    shutil.copytree(world.home, home)
    arguments = ["close", "--check", "--period", WHOLE, "--home", str(home), "--lang", "en"]
    assert run([*arguments, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["complete"] is True
    assert run([*arguments, "--company", COMPANY]) == 0
    assert "listed through the last day of March 2026" in capsys.readouterr().out
    assert run(arguments) == 0
    assert "Ipê Amarelo" in capsys.readouterr().out
    assert run([*arguments, "--reopen"]) == 2
    capsys.readouterr()


def test_every_code_and_count_has_its_word() -> None:
    for code in LineCode:
        assert checklist_labels.line_title(code)
    for state in LineState:
        assert checklist_labels.state_word(state)
        assert checklist_labels.month_state_word(state)
    words = {checklist_labels.month_state_word(state) for state in (LineState.NOT_CHECKED, LineState.PROBLEM)}
    assert checklist_labels.month_state_word(LineState.OK) not in words


def test_a_line_names_the_first_of_many() -> None:
    proof = named((str(number) for number in range(2000)), documents=2000)
    assert (len(proof.names), proof.named) == (1000, 2000)
    text = checklist_labels.named_text(proof.names[:2], proof.named)
    assert text.startswith("0, 1")
    assert "1998" in text.replace(".", "").replace(",", "")


def test_a_month_without_lines_was_not_checked() -> None:
    assert CompanyChecklist(COMPANY, None, WHOLE, 0, ()).state is LineState.NOT_CHECKED


def _scalar(home: Path, sql: str) -> object:
    with closing(sqlite3.connect(home / "archive.sqlite3")) as archive:
        return archive.execute(sql).fetchone()[0]


def test_an_event_of_the_month_of_an_earlier_document_counts_as_in_the_package(
    world: ClosingWorld, tmp_path: Path
) -> None:
    happened = "substr(coalesce(e.occurred_at, e.registered_at), 1, 7)"
    with closing(sqlite3.connect(world.home / "archive.sqlite3")) as archive:
        key, content, month = archive.execute(
            f"SELECT e.access_key, e.content_id, {happened} FROM event e JOIN document d ON d.access_key = e.access_key"
            " AND d.is_current = 1 JOIN belonging b ON b.document_id = d.id AND b.tax_id = ?"
            f" WHERE e.is_current = 1 AND e.embedded = 0 AND {happened} > substr(d.issued_on, 1, 7)"
            " AND substr(coalesce(e.occurred_at, e.registered_at), 9, 2) BETWEEN '03' AND '27' LIMIT 1",
            (COMPANY,),
        ).fetchone()
    assert key not in _one(_company(world.home, month), LineCode.AUTHENTICITY).proof.names
    home = world.changed(tmp_path / "home", f"UPDATE verdict SET result = 2 WHERE kind = 1 AND content_id = {content}")
    line = _one(_company(home, month), LineCode.AUTHENTICITY)
    assert line.state is LineState.PROBLEM
    assert key in {event.access_key for event in line.proof.events}
