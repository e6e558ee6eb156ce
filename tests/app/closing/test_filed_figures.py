"""What a closing freezes, by value: of notes added up by hand, and of three worlds from their packages."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from confere.app.archive_session import OpenArchive
from confere.app.closing import close_month
from confere.app.closing.close_month import CloseOutcome, CloseRequest
from confere.app.context import Workspace
from tests.app import filed_worlds
from tests.app.filed_worlds import COMPANY, MONTH, SIMPLES
from tests.archive.papers import store
from tests.oracle import closing as oracle

# Issued and in effect: 101, 102, 104, 106, 108 and the credit note 109; 107 is cancelled. Received: the customer's
# return 103 (the company's own note of entry), the freight and the service.
BY_HAND = {
    "documents": 10,
    "events": 1,  # the cancellation of 107
    "findings": 0,
    "links": 0,
    "in_effect": 9,
    "out_documents": 6,
    "out_total": 172_590,  # 199.90 + 210.00 + 146.00 + 1050.00 + 100.00 + 20.00
    "in_documents": 3,
    "in_total": 39_500,  # 50.00 + 45.00 + 300.00
    "out_icms": 21_118,  # 21.60 + 14.38 + 25.20 + 12.00 + 120.00 + 18.00
    "out_icms_st": 1_320,  # 140.00 x 18 % - 12.00
    "out_fcp": 280,  # FCP-ST, 140.00 x 2 %; the 4.20 of the state of destination are DIFAL's
    "out_ipi": 5_000,  # 1000.00 x 5 %
    "out_pis": 2_307,  # 1.62 + 1.08 + 3.05 + 1.45 + 14.52 + 1.35
    "out_cofins": 10_630,  # 7.48 + 4.98 + 14.04 + 6.69 + 66.88 + 6.23
    "out_ibs": 9,  # 0.07 + 0.02 of the credit note
    "out_cbs": 85,  # 0.67 + 0.18
    "in_icms": 1_140,  # 6.00 of the return + 5.40 of the freight
    "in_icms_st": 0,
    "in_fcp": 0,
    "in_ipi": 0,
    "in_pis": 73,  # 44.00 x 1.65 %
    "in_cofins": 334,  # 44.00 x 7.6 %
    "in_ibs": 4,  # of the freight
    "in_cbs": 36,
}
# 201 of four items, the debit note 202, and 203 that takes one item back.
SIMPLES_BY_HAND = dict.fromkeys(
    (f"{way}_{tax}" for way in ("out", "in") for tax in ("icms", "fcp", "ipi", "pis", "cofins")), 0
) | {
    "documents": 3,
    "events": 0,
    "findings": 0,
    "links": 0,
    "in_effect": 3,
    "out_documents": 2,
    "out_total": 29_864,  # 100.00 + 50.00 + 80.00 + 8.64 + 40.00 - 5.00, and 25.00
    "in_documents": 1,
    "in_total": 2_500,
    "out_icms_st": 864,  # 128.00 x 18 % - 80.00 x 18 %
    "out_ibs": 3,
    "out_cbs": 23,
    "in_icms_st": 0,
    "in_ibs": 0,
    "in_cbs": 0,
}


@pytest.fixture
def by_hand(tmp_path: Path) -> Workspace:
    workspace = Workspace.at(tmp_path / "home")
    with workspace.writing("test") as archive:
        store(archive, *filed_worlds.notes_by_hand())
    return workspace


@pytest.mark.parametrize(("company", "expected"), [(COMPANY, BY_HAND), (SIMPLES, SIMPLES_BY_HAND)])
def test_what_is_frozen_of_notes_added_up_by_hand(by_hand: Workspace, company: str, expected: dict[str, int]) -> None:
    (result,) = close_month.close(by_hand, CloseRequest(MONTH, company)).results
    assert result.outcome is CloseOutcome.CLOSED
    with closing(OpenArchive(by_hand)) as opened:
        (act,) = close_month.history(opened, company, MONTH)
        (shown,) = close_month.preview(opened, MONTH, company)
    assert dict(act.totals) == dict(shown.totals) == expected
    found = oracle.totals(filed_worlds.papers_by_hand(), company, MONTH)
    assert found == {name: amount for name, amount in expected.items() if name in found}
    assert not any(amount for name, amount in expected.items() if name not in found)


@pytest.mark.parametrize("name", filed_worlds.WORLDS)
def test_what_is_frozen_of_a_world_is_what_its_xml_comes_to(
    tmp_path_factory: pytest.TempPathFactory, name: str
) -> None:
    world = filed_worlds.made(tmp_path_factory, name)
    months, amounts = 0, set()
    with closing(OpenArchive(world.workspace)) as opened:
        for company, month in world.months():
            (shown,) = close_month.preview(opened, month, company)
            totals = dict(shown.totals)
            links, findings = totals.pop("links"), totals.pop("findings")
            expected = oracle.totals(world.papers, company, month)
            assert {**dict.fromkeys(expected, 0), **totals} == {**dict.fromkeys(totals, 0), **expected}, (
                company,
                month,
            )
            assert links == _links(world.workspace, company, month)
            assert findings == 0 or name in filed_worlds.RECONCILED
            months += 1
            amounts |= {tax for tax, amount in expected.items() if amount}
    assert months > 20
    assert amounts >= {f"out_{tax}" for tax in ("icms", "pis", "cofins", "ibs", "cbs")} | {"in_icms", "in_total"}


def _links(workspace: Workspace, company: str, month: str) -> int:
    """The links of the documents of the month, counted in the file."""
    with closing(sqlite3.connect(workspace.home.archive)) as database:
        (count,) = database.execute(
            "SELECT count(*) FROM link WHERE access_key IN (SELECT d.access_key FROM document d JOIN belonging b"
            " ON b.document_id = d.id WHERE b.tax_id = ? AND d.issued_on LIKE ? AND d.is_current = 1)",
            (company, f"{month}-%"),
        ).fetchone()
    return int(count)
