"""Giving orders their invoices, against the sandbox over HTTP: what is proposed, sent, refused and recorded."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from confere.app.accounts import accounts
from confere.app.accounts.accounts import NewAccount
from confere.app.archive_session import OpenArchive
from confere.app.context import EMBEDDED, Workspace
from confere.app.orders import write_back
from confere.app.orders.write_back import WriteOutcome
from confere.errors import Bug, HubError, HubRefusedToken, HubTooBusy, HubUnreachable, NotInArchive, UsageFault, message
from confere.hub.orders import order_writes
from confere.sales.links import LinkKind
from confere.system.processes.cancellation import Stop
from tests import own_configuration
from tests.app.shop import MakeShop, Shop, Synced, shop_of, synced


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Synced]:
    with synced(tmp_path_factory.mktemp("synced")) as found:
        yield found


@pytest.fixture
def make(world: Synced, tmp_path: Path) -> MakeShop:
    return lambda *, writes=False: shop_of(world, tmp_path, writes=writes)


# -- what is proposed --------------------------------------------------------------------------------------


def test_the_preview_is_the_exact_request(make: MakeShop) -> None:
    shop = make()
    plan = shop.plan()
    assert [entry.order.hub_id for entry in plan.candidates] == [shop.order_id]
    assert (plan.account, plan.host, plan.left_out) == ("shop", "", ())
    (entry,) = plan.candidates
    before = shop.at_hub()
    found = write_back.preview(entry)
    key = shop.key
    assert (found.method, found.path) == ("PUT", f"/v2/orders/{shop.order_id}")
    issued = datetime.fromisoformat(str(entry.sale.issued_at)).astimezone(UTC)
    assert json.loads(found.body) == {
        "order_id": shop.order_id,
        "status": "INVOICED",
        "invoice": {
            "series": str(int(key[22:25])),
            "number": str(int(key[25:34])),
            "accessKey": key,
            "date": f"{issued:%Y-%m-%dT%H:%M:%SZ}",
        },
    }
    assert found.body.encode() == found.write.body
    assert entry.sale.kind is LinkKind.PERSON
    assert str(entry.sale.evidence[0]) == "A person said so."
    assert {str(doubt).split()[1] for doubt in entry.doubts} <= {"order's", "invoice's"}
    assert write_back.digest([found]) == hashlib.sha256(f"PUT {found.path}\n{found.body}\n".encode()).hexdigest()
    assert shop.at_hub() == before


def test_a_month_is_that_of_the_order(make: MakeShop) -> None:
    shop = make()
    month = shop.row().created_on[:7]
    assert [entry.order.hub_id for entry in shop.plan(period=month).candidates] == [shop.order_id]
    assert shop.plan(period="2024-01").candidates == ()


def set_row(shop: Shop, table: str, where: str, **values: Any) -> None:
    names = ", ".join(f"{name} = ?" for name in values)
    with closing(sqlite3.connect(shop.workspace.home.archive)) as database, database:
        changed = database.execute(f"UPDATE {table} SET {names} WHERE {where}", tuple(values.values())).rowcount
        assert changed == 1


@pytest.mark.parametrize(
    ("table", "values", "why"),
    [
        ("sales_order", {"source": "file"}, "came from a file"),
        ("sales_order", {"invoice_key": "3" * 44}, "names its invoice already"),
        ("sales_order", {"invoice_number": 5}, "It names invoice -/5"),
        ("document", {"state": "cancelled"}, "No authorized sale"),
        ("document", {"state": "denied"}, "No authorized sale"),
        ("document", {"purpose": "2"}, "No authorized sale"),
        ("document", {"operation": "sale_return"}, "No authorized sale"),
        ("document", {"verdict": 2}, "not authentic"),
        ("document", {"issued_at": None}, "lacks its series, number or date"),
        ("document", {"issued_at": "logo"}, "lacks its series, number or date"),
    ],
)
def test_what_cannot_be_given_is_left_out_with_its_reason(
    make: MakeShop, table: str, values: dict[str, Any], why: str
) -> None:
    shop = make()
    where = f"access_key = '{shop.key}'" if table == "document" else f"hub_id = '{shop.order_id}'"
    set_row(shop, table, where, **values)
    plan = shop.plan(shop.order_id)
    assert plan.candidates == ()
    assert why in str(plan.left_out[0].why)
    assert plan.left_out[0].order_id == shop.order_id
    assert shop.plan().candidates == ()


def test_an_id_that_is_a_path_is_left_out(make: MakeShop) -> None:
    shop = make()
    set_row(shop, "sales_order", f"hub_id = '{shop.order_id}'", hub_id="..")
    assert "cannot be asked for" in str(shop.plan("..").left_out[0].why)


def test_doubts_are_told_and_what_agrees_raises_none(make: MakeShop) -> None:
    shop = make()
    set_row(shop, "document", f"access_key = '{shop.key}'", verdict=0, total=shop.row().total)
    assert shop.plan().candidates[0].doubts == ()
    set_row(shop, "sales_order", f"hub_id = '{shop.order_id}'", total=1, status="CONCLUDED")
    (entry,) = shop.plan(shop.order_id).candidates
    assert ["“delivered”" in str(entry.doubts[0]), "R$ 0,01" in str(entry.doubts[1])] == [True, True]
    assert shop.plan().candidates == ()  # in bulk nothing is moved back


def test_orders_with_several_sales_are_left_out(make: MakeShop, world: Synced) -> None:
    shop = make()
    shop.link(world.sales[1])
    plan = shop.plan()
    assert plan.candidates == ()
    assert "2 authorized sales" in str(plan.left_out[0].why)


def test_whose_orders_must_be_clear(make: MakeShop, tmp_path: Path) -> None:
    shop = make()
    assert shop.plan(account=None).account == "shop"
    with pytest.raises(NotInArchive, match="no order nobody"):
        shop.plan("nobody")
    accounts.add(shop.workspace, NewAccount("other", "http://127.0.0.1:9/v2", "test", EMBEDDED), "t")
    with pytest.raises(UsageFault, match="other, shop"):
        shop.plan(account=None)
    empty = Workspace.at(tmp_path / "another")
    with empty.writing("test"):
        pass
    opened = OpenArchive(empty)
    with pytest.raises(UsageFault, match="no account"):
        write_back.plan(opened)
    opened.close()


# -- what is sent ------------------------------------------------------------------------------------------


def test_the_order_has_the_invoice_and_the_trail_its_lines(make: MakeShop) -> None:
    shop = make(writes=True)
    previews = shop.previews()
    result = write_back.send(shop.workspace, "shop", previews)
    assert [(entry.order_id, entry.key, entry.outcome) for entry in result.sent] == [
        (shop.order_id, shop.key, WriteOutcome.WRITTEN)
    ]
    assert result.complete
    found = shop.at_hub()
    assert found["status"] == "INVOICED"
    assert found["invoice"] == json.loads(previews[0].body)["invoice"]
    row = shop.row()
    assert (row.status, row.invoice_key, row.last_run_id) == ("INVOICED", shop.key, shop.last_run().id)
    assert shop.versions() == 2
    assert shop.trail() == [
        ("order invoice", f"shop {shop.order_id}", f"PUT {previews[0].path} {previews[0].body}"),
        ("order invoice written", f"shop {shop.order_id}", shop.key),
    ]
    run = shop.last_run()
    assert (run.kind, run.outcome, run.counts["requested"], run.counts["written"]) == ("write_back", "done", 1, 1)
    assert shop.plan().candidates == ()


def test_a_refused_transition_is_told_in_the_hubs_words_and_changes_nothing_here(make: MakeShop) -> None:
    shop = make(writes=True)
    shop.put(status="CANCELED")
    with shop.workspace.writing("test") as archive, archive.writing() as transaction:
        transaction.execute("UPDATE sales_order SET status = 'CANCELED' WHERE hub_id = ?", (shop.order_id,))
    before, versions, at_hub = shop.row(), shop.versions(), shop.at_hub()
    result = write_back.send(shop.workspace, "shop", shop.previews())
    (entry,) = result.sent
    assert entry.outcome is WriteOutcome.REFUSED
    assert entry.hub_words.startswith("O pedido está em CANCELED e não pode passar para INVOICED.")
    assert not result.complete
    assert (shop.row(), shop.versions(), shop.at_hub()) == (before, versions, at_hub)
    assert [line[0] for line in shop.trail()] == ["order invoice", "order invoice refused"]
    assert shop.trail()[1][2] == entry.hub_words
    assert shop.last_run().outcome == "partial"


@pytest.mark.parametrize("other", [False, True])
def test_an_order_that_changed_since_the_preview_is_not_written_to(make: MakeShop, world: Synced, other: bool) -> None:
    shop = make(writes=True)
    previews = shop.previews()
    if other:
        key = world.sales[1]
        sent = {"series": key[22:25], "number": key[25:34], "accessKey": key, "date": "2026-10-25T10:00:00Z"}
        shop.put(status="INVOICED", invoice=sent)
    else:
        shop.put(status="CANCELED")
    at_hub = shop.at_hub()
    result = write_back.send(shop.workspace, "shop", previews)
    assert [entry.outcome for entry in result.sent] == [WriteOutcome.CHANGED]
    assert shop.at_hub() == at_hub
    assert shop.row().status == at_hub["status"]  # what was read is known now
    assert [line[0] for line in shop.trail()] == ["order invoice changed"]


@pytest.mark.parametrize(
    ("values", "why"),
    [({"state": "cancelled"}, "No authorized sale is linked to it."), ({"verdict": 2}, "is not authentic")],
)
def test_what_the_archive_learnt_of_the_invoice_since_the_preview_keeps_it_back(
    make: MakeShop, values: dict[str, Any], why: str
) -> None:
    shop = make()
    previews = shop.previews()
    set_row(shop, "document", f"access_key = '{shop.key}'", **values)
    at_hub = shop.at_hub()
    (entry,) = write_back.send(shop.workspace, "shop", previews).sent
    assert (entry.outcome, why in str(entry.why)) == (WriteOutcome.NOT_SENT, True)
    assert shop.at_hub() == at_hub
    assert [line[0] for line in shop.trail()] == ["order invoice not_sent"]


def test_a_request_for_another_hub_is_not_sent(make: MakeShop) -> None:
    shop = make()
    previews = shop.previews()
    candidate = previews[0].candidate
    strange = replace(previews[0], candidate=replace(candidate, order=replace(candidate.order, hub_id="1")))
    (entry,) = write_back.send(shop.workspace, "shop", [strange]).sent
    assert (entry.outcome, str(entry.why)) == (WriteOutcome.NOT_SENT, "There is no order 1 in the archive.")
    set_row(shop, "account", "id = 1", environment="sandbox", address="https://another.example/v2")
    with pytest.raises(UsageFault, match="another hub since the preview"):
        write_back.send(shop.workspace, "shop", previews)


@pytest.mark.parametrize(
    ("error", "outcome"),
    [
        (HubRefusedToken(message("No."), status=403, hub_words="só leitura"), WriteOutcome.REFUSED),
        (HubTooBusy(message("Slowly."), status=429), WriteOutcome.NOT_SENT),
    ],
)
def test_what_the_hub_surely_did_not_take_is_not_called_unknown(
    make: MakeShop, monkeypatch: pytest.MonkeyPatch, error: HubError, outcome: WriteOutcome
) -> None:
    shop = make()
    (found,) = shop.previews()
    monkeypatch.setattr(order_writes, "write_order", raising(error))
    if outcome is WriteOutcome.NOT_SENT:
        with pytest.raises(HubTooBusy):  # not even the first one could be tried
            write_back.send(shop.workspace, "shop", [found])
    else:
        result = write_back.send(shop.workspace, "shop", [found, found])
        assert [entry.outcome for entry in result.sent] == [outcome, WriteOutcome.NOT_SENT]
        assert result.sent[0].hub_words == "só leitura"
    assert [line[0] for line in shop.trail()] == ["order invoice", f"order invoice {outcome}"]


class Killed(BaseException):
    """Stands for a process that dies here."""


def test_a_kill_between_sending_and_recording_is_healed_by_the_next_run(
    make: MakeShop, monkeypatch: pytest.MonkeyPatch
) -> None:
    shop = make(writes=True)
    previews = shop.previews()
    send = order_writes.write_order

    def dying(*arguments: Any, **named: Any) -> None:
        send(*arguments, **named)
        raise Killed

    with monkeypatch.context() as patched:
        patched.setattr(order_writes, "write_order", dying)
        with pytest.raises(Killed):
            write_back.send(shop.workspace, "shop", previews)
    assert shop.at_hub()["invoice"]["accessKey"] == shop.key
    assert shop.row().invoice_key is None
    assert [line[0] for line in shop.trail()] == ["order invoice"]
    result = write_back.send(shop.workspace, "shop", shop.previews())
    assert [entry.outcome for entry in result.sent] == [WriteOutcome.ALREADY]
    assert result.complete
    assert shop.row().invoice_key == shop.key
    assert [line[0] for line in shop.trail()] == ["order invoice", "order invoice already"]


def test_an_order_that_the_hub_does_not_know(make: MakeShop) -> None:
    shop = make(writes=True)
    (found,) = shop.previews()
    unknown = replace(found, write=replace(found.write, order_id="1", path="/orders/1"))
    result = write_back.send(shop.workspace, "shop", [unknown, found])
    assert [entry.outcome for entry in result.sent] == [WriteOutcome.REFUSED, WriteOutcome.WRITTEN]
    assert result.sent[0].hub_words.startswith("Pedido não encontrado.")


def test_one_refusal_does_not_keep_the_others_back_and_all_are_told(make: MakeShop) -> None:
    shop = make(writes=True)
    (found,) = shop.previews()
    late = found.write.body.replace(b"2026-10", b"2027-10")
    wrong = replace(found, write=replace(found.write, body=late))
    result = write_back.send(shop.workspace, "shop", [wrong, found, found])
    assert [entry.outcome for entry in result.sent] == [
        WriteOutcome.REFUSED,
        WriteOutcome.WRITTEN,
        WriteOutcome.ALREADY,
    ]
    assert "futuro" in result.sent[0].hub_words


def test_where_nobody_answers_nothing_is_claimed(make: MakeShop, monkeypatch: pytest.MonkeyPatch) -> None:
    shop = make()
    (found,) = shop.previews()
    gone = HubUnreachable(message("Nothing answers."))
    with monkeypatch.context() as patched:
        patched.setattr("confere.hub.orders.orders.order", raising(gone))
        with pytest.raises(HubUnreachable):
            write_back.send(shop.workspace, "shop", [found])
    assert (shop.last_run().outcome, shop.trail()) == ("failed", [])
    with monkeypatch.context() as patched:
        patched.setattr(order_writes, "write_order", raising(gone))
        result = write_back.send(shop.workspace, "shop", [found, found])
    assert [entry.outcome for entry in result.sent] == [WriteOutcome.FAILED, WriteOutcome.NOT_SENT]
    assert [str(entry.why) for entry in result.sent] == ["Nothing answers."] * 2
    assert [line[0] for line in shop.trail()] == ["order invoice", "order invoice failed"]
    assert shop.last_run().counts["not_sent"] == 1


def raising(error: Exception) -> Callable[..., Any]:
    def fail(*_: Any, **__: Any) -> Any:
        raise error

    return fail


def test_what_the_order_does_not_show_afterwards_is_not_confirmed(
    make: MakeShop, monkeypatch: pytest.MonkeyPatch
) -> None:
    shop = make()
    monkeypatch.setattr("confere.hub.session.HubSession.put", lambda *_, **__: None)
    result = write_back.send(shop.workspace, "shop", shop.previews())
    assert [entry.outcome for entry in result.sent] == [WriteOutcome.UNCONFIRMED]
    assert not result.complete
    assert shop.row().invoice_key is None


def test_a_stop_keeps_what_was_done(make: MakeShop) -> None:
    shop = make()
    stop = Stop()
    stop.set()
    result = write_back.send(shop.workspace, "shop", shop.previews(), stop=stop)
    assert result.stopped
    assert [entry.outcome for entry in result.sent] == [WriteOutcome.NOT_SENT]
    assert shop.last_run().outcome == "stopped"
    assert shop.trail() == []


def test_a_token_that_is_refused_and_a_request_of_another_account(
    make: MakeShop, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    shop = make()
    previews = shop.previews()
    own_configuration.use_copy(monkeypatch, tmp_path / "configuration")
    accounts.set_token(shop.workspace, "shop", "wrong")
    with pytest.raises(HubRefusedToken):
        write_back.send(shop.workspace, "shop", previews)
    strange = replace(previews[0], candidate=replace(previews[0].candidate, account="other"))
    with pytest.raises(Bug):
        write_back.send(shop.workspace, "shop", [strange])
