"""Of an account with several companies each has its own findings, and every place counts the same ones."""

from __future__ import annotations

import importlib
import json
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from confere.app.accounts import accounts as use_case
from confere.app.accounts.accounts import AccountChange
from confere.app.archive_session import OpenArchive
from confere.app.closing import changes
from confere.app.closing.checklist import check_month
from confere.app.closing.checklist_line import CompanyChecklist, LineCode
from confere.app.context import Workspace
from confere.app.labels.client_labels import findings_tip
from confere.app.ledger import ledger
from confere.app.ledger.ledger import LedgerChoice
from confere.app.orders import browse_orders
from confere.app.orders.browse_orders import OrdersScope
from confere.app.overview.clients import ClientRow, clients
from confere.app.overview.overview import overview
from confere.app.reconciliation import decisions, queries
from confere.app.reconciliation.queries import FindingFilter, FindingQuery, Severity
from confere.app.reconciliation.review import signoffs
from confere.app.reconciliation.review.signoffs import MonthSignOff
from confere.archive.closing import closings, month_rows
from confere.archive.reconciliation import finding_search, reviews
from confere.archive.reconciliation.reviews import Withdrawal
from confere.cli.main import run
from confere.desktop.orders.order_list import listed_text
from confere.desktop.reconcile.page_state import gather
from confere.sales.closings import ClosingKind
from confere.sales.links import Link, Linked, LinkKind
from tests.app.business import ACCOUNT, OCTOBER, a_finding, order_json, record_orders
from tests.app.business import run as reconciled
from tests.app.ledger.test_ledger import sheets_of
from tests.app.made import account
from tests.app.sandboxed import copied
from tests.archive.papers import EMITTER, RECIPIENT, key, note, store

FILL = importlib.import_module("confere.archive.migrations.versions.0022_signoff_reasons").FILL
BRANCH = "11222333000262"
THIRD = "11222333000343"
MASKED = "11.222.333/0002-62"


def of_branch(number: int) -> str:
    return key(number, emitter=BRANCH)


FOUND = (
    a_finding("R18", keys=(key(1),), severity=Severity.LOW),
    a_finding("R3", "o2", keys=(of_branch(2),)),
    a_finding("R14", keys=(key(3),), severity=Severity.MEDIUM),  # which the branch received
    a_finding("R8", keys=(of_branch(9),), checked=False),  # not in the archive
    a_finding("R1", "o1"),  # linked to a note
    a_finding("R1", "o5", checked=False),  # the key of its invoice tells
    a_finding("R1", "o4"),  # nothing tells
    a_finding("R12", subject=f"{BRANCH}/55/1/12-14", severity=Severity.MEDIUM),
    a_finding("R16", subject=f"{EMITTER}/MARKET/A1", severity=Severity.LOW),
    a_finding("R23", keys=(key(3),), subject=BRANCH),  # of both, and about the branch's closing
    a_finding("R20", subject=OCTOBER, checked=False),  # waits for a closing
    a_finding("R2", keys=(of_branch(2),), period="2026-09"),
)
OCTOBERS = [entry for entry in FOUND if entry.checked and entry.period == OCTOBER]
# By company: rules that are open, by severity; rules that are not checked and keep the month from being done.
OPEN = {
    EMITTER: {"high": ["R1", "R1"], "medium": ["R14"], "low": ["R16", "R18"]},
    BRANCH: {"high": ["R1", "R23", "R3"], "medium": ["R12", "R14"], "low": []},
    THIRD: {"high": ["R1"], "medium": [], "low": []},
}
UNCHECKED = {EMITTER: 0, BRANCH: 2, THIRD: 0}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = Workspace.at(tmp_path_factory.mktemp("companies"))
    with found.writing("test") as archive:
        between = note(3).replace(RECIPIENT.encode(), BRANCH.encode())
        store(archive, note(1), note(2, emitter=BRANCH), between, note(4, emitter=THIRD))
        owner = account(archive, ACCOUNT, "production", EMITTER, BRANCH, THIRD)
        record_orders(
            archive,
            owner,
            *(order_json(f"o{number}") for number in (1, 2, 4)),
            order_json("o5", invoice={"accessKey": of_branch(8), "number": "8", "series": "1"}),
        )
        pairs = (("o1", key(1)), ("o2", of_branch(2)))
        linked = tuple(Link(order, paper, LinkKind.ORDER_KEY, 100, ()) for order, paper in pairs)
        reconciled(archive, owner, Linked(linked, ()), FOUND)
    return found.home.root


@pytest.fixture
def workspace(made: Path, tmp_path: Path) -> Workspace:
    return copied(made, tmp_path / "home")


@pytest.fixture
def opened(workspace: Workspace) -> Iterator[OpenArchive]:
    with closing(OpenArchive(workspace)) as archive:
        yield archive


def filtered(company: str | None, *states: str) -> FindingQuery:
    return FindingQuery("", FindingFilter(OCTOBER, states=states, company=company))


def checklist(opened: OpenArchive, company: str) -> CompanyChecklist:
    (found,) = check_month(opened, OCTOBER, company).companies
    return found


def client(opened: OpenArchive, company: str) -> ClientRow:
    return next(row for row in clients(opened, OCTOBER).rows if row.tax_id == company)


@pytest.mark.parametrize("company", [EMITTER, BRANCH, THIRD])
def test_every_place_counts_the_same_findings(
    workspace: Workspace, opened: OpenArchive, company: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    by_severity = {severity: len(rules) for severity, rules in OPEN[company].items()}
    still_open, unchecked = sum(by_severity.values()), UNCHECKED[company]
    expected = sorted(rule for rules in OPEN[company].values() for rule in rules)

    rows = queries.findings(opened, filtered(company, "open"))
    assert sorted(row.finding.rule for row in rows) == expected
    assert queries.count(opened, filtered(company, "open")) == still_open
    groups = queries.groups(opened, filtered(company))
    assert sum(group.open for group in groups) == still_open
    assert sum(group.undecided for group in groups) == still_open + unchecked

    row = client(opened, company)
    assert row.findings is not None
    assert {"high": row.findings.high, "medium": row.findings.medium, "low": row.findings.low} == by_severity
    assert row.of_no_company == 1

    (line,) = checklist(opened, company).of(LineCode.FINDINGS)
    assert line.proof.counts == by_severity | {"not_checked": unchecked, "of_no_company": 1, "awaiting_closing": 1}
    assert "Not counted: 1, which only the closing of the month lets be checked" in str(line.what)
    assert sum(group.awaiting_closing for group in groups) == 1
    assert line.proof.command == f"confere findings list --company {company} --period {OCTOBER}"
    (signed,) = checklist(opened, company).of(LineCode.SIGNED)
    assert signed.proof.counts["open"] == still_open + unchecked
    assert signed.proof.counts["findings"] == queries.count(opened, filtered(company)) - 1, "but for the one above"

    (shown,) = overview(opened, company, OCTOBER).findings
    assert (shown.open, shown.not_checked, shown.grave) == (still_open, unchecked, by_severity["high"])

    signable = signoffs.signable(opened, company, OCTOBER)
    assert (signable.undecided, signable.count) == (still_open + unchecked,) * 2
    assert signable.awaiting_closing == 1
    assert signoffs.sign(workspace, company, OCTOBER, "Ana").open_findings == still_open + unchecked

    home = str(workspace.home.root)
    assert run(["findings", "list", "--company", company, "--period", OCTOBER, "--json", "--home", home]) == 0
    told = json.loads(capsys.readouterr().out)
    assert sorted(entry["rule"] for entry in told["findings"] if entry["state"] == "open") == expected
    assert (told["account"], told["company"], told["of_no_company"]) == (None, company, 2)

    (written,) = ledger.write(workspace, LedgerChoice(OCTOBER, company, tmp_path / "ledger.xlsx"))
    sheet = sheets_of(written.path)["Findings"]
    assert sorted(line["Rule"] for line in sheet if line["State"] == "open") == expected


@pytest.mark.parametrize("company", [EMITTER, BRANCH])
def test_the_page_reconcile_has_the_findings_of_the_company_in_use(opened: OpenArchive, company: str) -> None:
    of_company = gather(opened, company, "", filtered(company))
    assert of_company.account == ACCOUNT
    still_open = sum(map(len, OPEN[company].values()))
    assert sum(group.open for group in of_company.groups) == still_open
    assert (of_company.decided, of_company.total) == (0, still_open + UNCHECKED[company])
    assert not of_company.owners, "all are of that company"
    of_all = gather(opened, None, "", filtered(None))
    assert sum(group.open for group in of_all.groups) == sum(
        entry.checked and entry.period == OCTOBER for entry in FOUND
    )
    assert {EMITTER, BRANCH, THIRD, ACCOUNT} == set(of_all.owners)
    nobody = gather(opened, RECIPIENT, "", filtered(RECIPIENT))
    assert nobody.is_of_files_alone and nobody.account is None


@pytest.mark.parametrize("head", [2, 400])
@pytest.mark.parametrize("company", [EMITTER, BRANCH, THIRD])
def test_the_first_findings_of_a_company_are_those_of_all_of_its_own(
    opened: OpenArchive, monkeypatch: pytest.MonkeyPatch, company: str, head: int
) -> None:
    monkeypatch.setattr(finding_search, "_HEAD", head)
    wanted = FindingFilter(company=company)
    with opened.reading() as transaction:
        whole = finding_search.page(transaction, None, wanted)
        assert len(whole) >= 2
        for limit, offset in ((1, 0), (2, 1), (100, 0)):
            page = finding_search.page(transaction, None, wanted, limit, offset)
            assert page == whole[offset : offset + limit]


def test_what_is_of_no_company_is_counted_once_for_all_of_them(opened: OpenArchive) -> None:
    every = queries.findings(opened, filtered(None, "open"))
    assert len(every) == len(OCTOBERS)
    assert [row.finding.orders for row in every if not row.companies] == [("o4",)]
    assert [row.companies for row in every if row.finding.rule == "R14"] == [tuple(sorted((EMITTER, BRANCH)))]
    assert [row.companies for row in every if row.finding.rule == "R23"] == [(BRANCH,)]
    (of_all,) = overview(opened, None, OCTOBER).findings
    assert of_all.open == len(every)
    assert "1 of them of the account and of no company" in findings_tip(client(opened, THIRD))


def test_with_one_establishment_everything_is_of_it(workspace: Workspace, opened: OpenArchive) -> None:
    use_case.change(workspace, ACCOUNT, AccountChange(tax_ids=(EMITTER,)))
    every, of_it = (queries.findings(opened, filtered(company)) for company in (None, EMITTER))
    assert every == of_it and {row.companies for row in every} == {(EMITTER,)}
    row = client(opened, EMITTER)
    assert row.of_no_company == 0 and row.findings is not None and row.findings.high == 4
    assert queries.count(opened, filtered(BRANCH)) == 0, "no account has it any more"


def test_of_an_account_without_establishments_whoever_is_a_party_has_it(
    workspace: Workspace, opened: OpenArchive
) -> None:
    with workspace.writing("test") as archive, archive.writing() as transaction:
        transaction.execute("DELETE FROM establishment")
    rows = queries.findings(opened, filtered(BRANCH, "open"))
    assert sorted(row.finding.rule for row in rows) == ["R1", "R12", "R14", "R16", "R23", "R3"]
    assert {row.finding.rule for row in rows if not row.companies} == {"R1", "R12", "R16"}


def test_the_orders_of_a_company_are_those_that_its_documents_tell(
    workspace: Workspace, opened: OpenArchive, capsys: pytest.CaptureFixture[str]
) -> None:
    def listed(company: str | None) -> set[str]:
        scope = OrdersScope(company)
        found = {entry.row.hub_id for entry in browse_orders.first(opened, scope)}
        assert browse_orders.totals(opened, scope).count == len(browse_orders.snapshot(opened, scope)) == len(found)
        return found

    assert listed(None) == {"o1", "o2", "o4", "o5"}
    assert listed(EMITTER) == {"o1", "o4"}
    assert listed(BRANCH) == {"o2", "o4", "o5"}
    assert listed(RECIPIENT) == set()
    assert browse_orders.totals(opened, OrdersScope(BRANCH)).of_no_company == 1
    assert "1 of no company that can be told" in listed_text(browse_orders.totals(opened, OrdersScope(BRANCH)))
    assert browse_orders.totals(opened, OrdersScope()).of_no_company == 0
    assert browse_orders.place_of(opened, ACCOUNT, "o2", BRANCH).is_of_company
    assert not browse_orders.place_of(opened, ACCOUNT, "o2", EMITTER).is_of_company
    assert browse_orders.place_of(opened, ACCOUNT, "o4", EMITTER).is_of_company
    assert run(["orders", "list", "--company", MASKED, "--json", "--home", str(workspace.home.root)]) == 0
    told = json.loads(capsys.readouterr().out)
    assert ({entry["order_id"] for entry in told["orders"]}, told["of_no_company"]) == ({"o2", "o4", "o5"}, 1)


def test_a_company_is_given_with_its_mask_or_without_and_has_to_be_one(
    workspace: Workspace, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["findings", "list", "--json", "--home", str(workspace.home.root)]
    assert run([*arguments, "--company", MASKED]) == run([*arguments, "--company", BRANCH, "--account", ACCOUNT]) == 0
    masked, plain = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    assert masked["findings"] == plain["findings"] and plain["account"] == ACCOUNT
    assert run([*arguments, "--company", "11222333000263"]) == 2


def test_what_changed_since_a_closing_is_of_its_company(workspace: Workspace, opened: OpenArchive) -> None:
    with workspace.writing("test") as archive, archive.writing() as transaction:
        # As an older release closed it: with the findings of all companies of the account.
        ours, others = (month_rows.read(transaction, company, OCTOBER) for company in (EMITTER, BRANCH))
        frozen = {(entry.account, entry.fingerprint): entry for entry in (*ours.findings, *others.findings)}
        of_month = tuple(entry for _, entry in sorted(frozen.items()) if entry.rule != "R2")  # which is of September
        before = replace(ours, findings=of_month)
        assert len(before.findings) > len(ours.findings)
        closings.append(transaction, EMITTER, OCTOBER, ClosingKind.CLOSE, rows=before)
        closings.append(transaction, BRANCH, OCTOBER, ClosingKind.CLOSE, rows=others)

    def changed(company: str) -> list[str]:
        (found,) = changes.changes(opened, OCTOBER, company)
        return [change.finding.rule for change in found.changes.findings]

    assert changed(EMITTER) == changed(BRANCH) == []
    rows = {row.finding.rule: row.id for row in queries.findings(opened, filtered(BRANCH)) if row.companies}
    decisions.explain(workspace, [rows["R3"]], "agreed")
    assert (changed(EMITTER), changed(BRANCH)) == ([], ["R3"])


# -- the reviewer's signature --------------------------------------------------------------------------------


def test_a_signature_stands_until_a_finding_of_its_own_company_changes(
    workspace: Workspace, opened: OpenArchive
) -> None:
    for company in (EMITTER, BRANCH):
        signoffs.sign(workspace, company, OCTOBER, "Ana")

    def standing() -> set[str]:
        return {entry.signed.company for entry in signoffs.history(opened) if entry.stands}

    rows = {row.finding.rule: row.id for row in queries.findings(opened, filtered(BRANCH)) if row.companies}
    decisions.explain(workspace, [rows["R3"]], "agreed")
    assert standing() == {EMITTER}
    (of_none,) = (row.id for row in queries.findings(opened, filtered(None, "open")) if not row.companies)
    decisions.explain(workspace, [of_none], "agreed")
    assert standing() == set(), "it may be of any of them"


def test_a_closing_takes_no_signature_away(workspace: Workspace, opened: OpenArchive) -> None:
    signoffs.sign(workspace, EMITTER, OCTOBER, "Ana")
    with workspace.writing("test") as archive, archive.writing() as transaction:
        transaction.execute("UPDATE finding SET state = 'resolved' WHERE rule = 'R20'")  # as the run after a closing
        signoffs.withdraw_outgrown(transaction)
    (found,) = signoffs.history(opened)
    assert found.stands


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ("removed", "since the account was removed."),
        ("establishments", "since the companies of the account changed."),
        ("findings", "since findings changed."),
        ("signed anew", "by a newer signature."),
    ],
)
def test_the_reason_of_a_withdrawal_is_said(
    workspace: Workspace, opened: OpenArchive, change: str, why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    signoffs.sign(workspace, EMITTER, OCTOBER, "Ana")
    match change:
        case "removed":
            use_case.remove(workspace, ACCOUNT)
        case "establishments":
            use_case.change(workspace, ACCOUNT, AccountChange(tax_ids=(BRANCH, THIRD)))
        case "findings":
            decisions.explain(workspace, [queries.findings(opened, filtered(EMITTER))[0].id], "agreed")
        case _:
            signoffs.sign(workspace, EMITTER, OCTOBER, "Rui")
    found = signoffs.history(opened)[-1]
    assert not found.stands and str(signoffs.sentence(found)).endswith(why)
    assert run(["findings", "signoffs", "--json", "--home", str(workspace.home.root)]) == 0
    assert json.loads(capsys.readouterr().out)["signoffs"][-1]["withdrawn_why"] == found.signed.withdrawn_why


def test_what_an_older_release_signed_is_withdrawn_with_its_own_reason(
    workspace: Workspace, opened: OpenArchive
) -> None:
    for company in (EMITTER, BRANCH):
        signoffs.sign(workspace, company, OCTOBER, "Ana")
    with workspace.writing("test") as archive, archive.writing() as transaction:
        transaction.execute("UPDATE signoff SET basis = 1, digest = 'of the account' WHERE company = ?", (BRANCH,))
        transaction.execute("UPDATE signoff SET basis = 1 WHERE company = ?", (EMITTER,))
        (said,) = signoffs.withdraw_outgrown(transaction)
    assert "counts those of each company by themselves" in str(said)
    branch, other = signoffs.history(opened)
    assert other.stands, "its findings are the same, told either way"
    assert "counts those of each company by themselves" in str(signoffs.sentence(branch))


def test_a_withdrawal_of_an_older_release_has_the_reason_of_its_audit_trail(
    workspace: Workspace, opened: OpenArchive
) -> None:
    signoffs.sign(workspace, EMITTER, OCTOBER, "Ana")
    use_case.remove(workspace, ACCOUNT)
    with workspace.writing("test") as archive, archive.writing() as transaction:
        transaction.execute("UPDATE signoff SET withdrawn_why = NULL")
        (unknown,) = reviews.history(transaction)
        assert str(signoffs.sentence(MonthSignOff(unknown))).count("since") == 0
        transaction.execute(FILL)
        (known,) = reviews.history(transaction)
    assert known.withdrawn_why == Withdrawal.ACCOUNT_REMOVED
