"""Moves of orders against the sandbox over HTTP: what is proposed, left out and why, sent and recorded."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from confere.app.archive_session import OpenArchive
from confere.app.orders import order_moves, write_back
from confere.app.orders.order_moves import MoveCandidate, MoveDetails, OrderMoveKind
from confere.app.orders.write_back import Sent, WriteBackPlan, WriteOutcome
from confere.archive.clock import utc_now
from confere.archive.orders import order_search, orders
from confere.archive.orders.order_rows import HUB, ReceivedOrder
from confere.errors import HubUnreachable, NotInArchive, UsageFault, message
from confere.fiscal.periods import BRASILIA
from confere.hub.orders import early_shipment, order_writes
from confere.hub.orders.orders import order_of_text
from confere.reconcile.evidence_text import order_status
from sandbox_hub.web.orders import order_moves as order_moves_of_hub
from tests.app.orders.test_write_back import raising
from tests.app.shop import MakeShop, Shop, Synced, lively, shop_of, synced

AT = datetime(2026, 10, 30, 10, tzinfo=BRASILIA)
KEY = "3" * 44


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Synced]:
    with synced(tmp_path_factory.mktemp("synced")) as found:
        yield found


@pytest.fixture(scope="module")
def lively_world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Synced]:
    with lively(tmp_path_factory.mktemp("lively")) as found:
        yield found


@pytest.fixture
def lively_shop(lively_world: Synced, tmp_path: Path) -> Shop:
    return shop_of(lively_world, tmp_path, writes=False)


@pytest.fixture
def make(world: Synced, tmp_path: Path) -> MakeShop:
    return lambda *, writes=False: shop_of(world, tmp_path, writes=writes)


def plan_of(shop: Shop, kind: str, details: MoveDetails | None = None, *names: str) -> WriteBackPlan[MoveCandidate]:
    opened = OpenArchive(shop.workspace)
    try:
        move = order_moves.move_of(OrderMoveKind(kind), details)
        return order_moves.plan(opened, "shop", names or (shop.order_id,), move)
    finally:
        opened.close()


def moved(shop: Shop, kind: str, details: MoveDetails | None = None) -> Sent:
    """What became of this move of the shop's order."""
    previews = [write_back.preview(entry) for entry in plan_of(shop, kind, details).candidates]
    (sent,) = write_back.send(shop.workspace, "shop", previews).sent
    return sent


def look(shop: Shop) -> None:
    """Bring the shop's order into the archive as the hub has it now."""
    raw = json.dumps(shop.at_hub()).encode()
    with shop.workspace.writing("test") as archive, archive.writing() as transaction:
        received = ReceivedOrder(order_of_text(raw).order, raw, HUB, utc_now())
        orders.record(transaction, archive.vault_writer, 1, 1, [received])


def invoiced(shop: Shop) -> None:
    """Somebody gave the shop's order its invoice."""
    key = shop.key
    sent = {"series": key[22:25], "number": key[25:34], "accessKey": key, "date": "2026-10-25T10:00:00Z"}
    shop.put(status="INVOICED", invoice=sent)
    look(shop)


def with_status(shop: Shop, status: str) -> list[str]:
    with shop.workspace.reading() as archive, archive.reading() as transaction:
        query = order_search.OrderQuery(statuses=(status,), descending=False)
        return [row.hub_id for row in order_search.page(transaction, query, 100)]


def as_if(shop: Shop, **values: Any) -> None:
    names = ", ".join(f"{name} = ?" for name in values)
    with shop.workspace.writing("test") as archive, archive.writing() as transaction:
        transaction.execute(f"UPDATE sales_order SET {names} WHERE hub_id = ?", (*values.values(), shop.order_id))


# -- what is proposed --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("status", "usual", "doubtful"),
    [
        ("PENDING", {"paid", "cancelled"}, set()),
        ("PAID_WAITING_SHIP", {"cancelled"}, {"shipped", "delivered", "concluded", "early-shipment"}),
        ("INVOICED", {"shipped", "early-shipment"}, {"delivered", "concluded", "cancelled"}),
        ("PAID_WAITING_DELIVERY", {"shipped", "delivered", "concluded"}, {"cancelled"}),
        ("CONCLUDED", set(), {"cancelled"}),
        ("CANCELED", set(), set()),
        ("EM_ANALISE", set(), {kind.value for kind in order_moves.KINDS}),
        (None, set(), {kind.value for kind in order_moves.KINDS}),
    ],
)
def test_from_where_each_move_goes(make: MakeShop, status: str | None, usual: set[str], doubtful: set[str]) -> None:
    shop = make()
    as_if(shop, status=status, created_at="2026-10-01T10:00:00+00:00", shipped_at=None, invoice_key=None)
    row = shop.row()
    assert {kind.value for kind in order_moves.fitting_kinds(row)} == usual | doubtful
    for kind in order_moves.KINDS:
        takes = {"shipped": MoveDetails(shipped=AT), "delivered": MoveDetails(delivered=AT)}
        plan = plan_of(shop, kind, takes.get(kind))
        if kind not in usual | doubtful:
            assert not plan.candidates
            assert status is not None
            assert f"“{order_status(status)}”" in str(plan.left_out[0].why)
        else:
            (candidate,) = plan.candidates
            word = order_status(status) if status else "-"
            assert [str(doubt) for doubt in candidate.doubts] == (
                [] if kind in usual else [f"The order is “{word}”: the hub may refuse this move from there."]
            )


@pytest.mark.parametrize(
    ("row", "kind", "details", "said"),
    [
        ({"created_at": "2026-10-31T10:00:00+00:00"}, "shipped", MoveDetails(AT), "The order was made only on"),
        ({"shipped_at": "2026-10-29T13:00:00+00:00"}, "shipped", MoveDetails(AT), "shipped on 2026-10-29 10:00: what"),
        ({"invoice_key": KEY}, "cancelled", None, f"It has the invoice {KEY}"),
        ({}, "shipped", MoveDetails(datetime.now(BRASILIA) + timedelta(days=3)), "is in the future"),
    ],
)
def test_what_a_person_should_look_at(
    make: MakeShop, row: dict[str, Any], kind: str, details: MoveDetails | None, said: str
) -> None:
    shop = make()
    as_if(shop, **({"status": "INVOICED", "created_at": "2026-10-01T10:00:00+00:00"} | row))
    (candidate,) = plan_of(shop, kind, details).candidates
    assert any(said in str(doubt) for doubt in candidate.doubts), candidate.doubts
    as_if(shop, created_at="2026-10-01T10:00:00+00:00", shipped_at=None, invoice_key=None)
    (candidate,) = plan_of(shop, kind, MoveDetails(AT) if kind == "shipped" else None).candidates
    assert not any(said in str(doubt) for doubt in candidate.doubts)


@pytest.mark.parametrize(
    ("row", "why"),
    [
        ({"source": "file"}, "came from a file"),
        ({"shipped_at": "2026-10-31T13:00:00+00:00"}, "It was shipped on 2026-10-31 10:00, after that delivery."),
    ],
)
def test_what_cannot_be_is_left_out_with_its_reason(make: MakeShop, row: dict[str, Any], why: str) -> None:
    shop = make()
    as_if(shop, status="PAID_WAITING_DELIVERY", shipped_at=None)
    assert plan_of(shop, "delivered", MoveDetails(delivered=AT)).candidates
    as_if(shop, **row)
    plan = plan_of(shop, "delivered", MoveDetails(delivered=AT))
    assert (plan.candidates, [why in str(left.why) for left in plan.left_out]) == ((), [True])


@pytest.mark.parametrize(
    ("kind", "details"),
    [
        ("concluded", MoveDetails(shipped=AT)),
        ("delivered", MoveDetails(carrier="Rápida")),
        ("shipped", MoveDetails(delivered=AT)),
        ("shipped", MoveDetails(shipped=AT, estimated=AT - timedelta(days=1))),
        ("shipped", MoveDetails(url="javascript:alert(1)")),
        ("shipped", MoveDetails(url="https://x.example/a b")),
        ("shipped", MoveDetails(number="1\n2")),
        ("shipped", MoveDetails(carrier="x" * 301)),
    ],
)
def test_what_does_not_belong_to_a_move_is_wrong_use(kind: str, details: MoveDetails) -> None:
    with pytest.raises(UsageFault):
        order_moves.move_of(OrderMoveKind(kind), details)


def test_a_shipment_without_its_time_is_of_now() -> None:
    move = order_moves.move_of(OrderMoveKind.SHIPPED, MoveDetails(carrier=" Rápida "))
    assert move.tracking is not None
    assert move.tracking.carrier == "Rápida"
    assert abs(datetime.fromisoformat(move.tracking.shipped_at or "") - datetime.now(BRASILIA)) < timedelta(hours=1)


def test_an_order_that_is_not_here(make: MakeShop) -> None:
    shop = make()
    with pytest.raises(NotInArchive, match="no order nobody"):
        plan_of(shop, "paid", None, shop.order_id, "nobody")
    number = str(shop.row().marketplace_id)
    assert len(plan_of(shop, "cancelled", None, shop.order_id, number).candidates) == 1


# -- what is sent ------------------------------------------------------------------------------------------


def test_an_order_goes_its_way_and_each_step_is_recorded(make: MakeShop) -> None:
    shop = make(writes=True)
    invoiced(shop)
    url = "https://rastreio.example/BR1"
    shipped = MoveDetails(AT, AT + timedelta(days=5), None, "Rápida", "BR1", url)
    assert moved(shop, "shipped", shipped).outcome is WriteOutcome.WRITTEN
    found = shop.at_hub()
    assert found["status"] == "PAID_WAITING_DELIVERY"
    assert found["tracking"].items() >= {
        ("shippedDate", "2026-10-30T13:00:00Z"),
        ("estimateDate", "2026-11-04T13:00:00Z"),
        ("carrier", "Rápida"),
        ("number", "BR1"),
        ("url", url),
    }
    run = shop.last_run()
    assert (run.kind, run.outcome, run.counts["written"]) == ("order_moves", "done", 1)
    assert (shop.row().status, shop.row().last_run_id) == ("PAID_WAITING_DELIVERY", run.id)
    assert shop.row().shipped_at == "2026-10-30T13:00:00.000+00:00"
    assert moved(shop, "shipped", shipped).outcome is WriteOutcome.ALREADY
    assert moved(shop, "delivered", MoveDetails(delivered=AT + timedelta(days=2))).outcome is WriteOutcome.WRITTEN
    assert shop.at_hub()["tracking"]["deliveredDate"] == "2026-11-01T13:00:00Z"
    versions = shop.versions()
    assert moved(shop, "concluded").outcome is WriteOutcome.WRITTEN
    assert (shop.row().status, shop.versions()) == ("CONCLUDED", versions + 1)
    assert moved(shop, "cancelled").outcome is WriteOutcome.WRITTEN
    assert shop.at_hub()["status"] == "CANCELED"
    assert plan_of(shop, "cancelled").candidates == ()
    actions = [line[0] for line in shop.trail()]
    assert actions == [
        *("order move", "order move written", "order move already"),
        *("order move", "order move written") * 3,
    ]
    _action, subject, request = shop.trail()[0]
    assert subject == f"shop {shop.order_id}"
    assert str(request).startswith(f"PUT /v2/orders/{shop.order_id} {{")
    assert shop.trail()[1][2] == "shipped"


def test_a_pending_order_is_paid(lively_shop: Shop) -> None:
    shop = lively_shop
    shop.order_id = with_status(shop, "PENDING")[0]
    assert moved(shop, "paid").outcome is WriteOutcome.WRITTEN
    assert (shop.at_hub()["status"], shop.row().status) == ("PAID_WAITING_SHIP", "PAID_WAITING_SHIP")


def test_a_refusal_is_in_the_hubs_words_and_changes_nothing(make: MakeShop) -> None:
    shop = make(writes=True)
    before, at_hub, versions = shop.row(), shop.at_hub(), shop.versions()
    sent = moved(shop, "early-shipment")
    assert sent.outcome is WriteOutcome.REFUSED
    assert "só um pedido em INVOICED pode ter o envio antecipado" in sent.hub_words
    assert (shop.row(), shop.at_hub(), shop.versions()) == (before, at_hub, versions)
    assert [line[0] for line in shop.trail()] == ["order move", "order move refused"]


def test_an_order_that_changed_since_the_preview_is_not_moved(make: MakeShop) -> None:
    shop = make(writes=True)
    previews = [write_back.preview(entry) for entry in plan_of(shop, "concluded").candidates]
    shop.put(status="CANCELED")
    (sent,) = write_back.send(shop.workspace, "shop", previews).sent
    assert sent.outcome is WriteOutcome.CHANGED
    assert shop.at_hub()["status"] == shop.row().status == "CANCELED"
    (sent,) = write_back.send(shop.workspace, "shop", previews).sent
    assert (sent.outcome, str(sent.why)[:17]) == (WriteOutcome.NOT_SENT, "It is “cancelled”")
    assert [line[0] for line in shop.trail()] == ["order move changed", "order move not_sent"]


def test_early_shipments_fail_are_tried_again_and_succeed(lively_shop: Shop) -> None:
    shop = lively_shop
    outcomes = set()
    retried = 0
    for name in with_status(shop, "INVOICED"):
        shop.order_id = name
        sent = moved(shop, "early-shipment")
        outcomes.add(sent.outcome)
        if sent.outcome is not WriteOutcome.DECLINED:
            continue
        found = shop.at_hub()
        assert (found["status"], found["transmissionMessage"]) == ("INVOICED", sent.hub_words)
        assert (shop.row().status, shop.trail()[-1][::2]) == ("INVOICED", ("order move declined", sent.hub_words))
        assert "Tente de novo" in sent.hub_words
        while sent.outcome is WriteOutcome.DECLINED and retried < 8:  # each try has a throw of its own
            retried += 1
            sent = moved(shop, "early-shipment")
        assert sent.outcome is WriteOutcome.WRITTEN
        assert shop.at_hub()["status"] == shop.row().status == "PAID_WAITING_DELIVERY"
    assert retried
    assert outcomes == {WriteOutcome.WRITTEN, WriteOutcome.DECLINED, WriteOutcome.REFUSED}


@pytest.mark.parametrize("words", ["", "Falha interna"])
def test_a_torn_connection_leaves_an_early_shipment_unknown_and_it_is_said_before_the_next(
    make: MakeShop, monkeypatch: pytest.MonkeyPatch, words: str
) -> None:
    shop = make(writes=True)
    invoiced(shop)
    with monkeypatch.context() as patched:
        patched.setattr(order_writes, "write_order", raising(HubUnreachable(message("Torn."), hub_words=words)))
        sent = moved(shop, "early-shipment")
    assert (sent.outcome, str(sent.why)) == (WriteOutcome.FAILED, "Torn.")
    assert shop.at_hub()["status"] == "INVOICED"
    (candidate,) = plan_of(shop, "early-shipment").candidates
    assert "asked for already" in str(candidate.doubts[-1])
    assert not plan_of(shop, "concluded").candidates[0].doubts[1:]


def moved_if_reached(shop: Shop, kind: str) -> WriteOutcome:
    """As `moved`; NOT_SENT where the hub tore every connection before anything was sent."""
    try:
        return moved(shop, kind).outcome
    except HubUnreachable:
        return WriteOutcome.NOT_SENT


@pytest.mark.exhaustive
def test_a_hub_that_tears_connections_has_every_move_once(tmp_path: Path) -> None:
    """Whatever was torn, before or after the hub took it: what is said of each order agrees with what the hub did."""
    state = tmp_path / "state.json"
    home = tmp_path / "home"
    home.mkdir()
    with lively(home, faults="reset=0.3", state_file=state) as torn:
        shop = Shop(home, torn.hub, torn.waiting[0], torn.sales[0])
        outcomes = {}
        for name in torn.waiting[1:7]:
            shop.order_id = name
            outcomes[name] = moved_if_reached(shop, "cancelled")
        early = {}
        for name in with_status(shop, "INVOICED"):
            shop.order_id = name
            early[name] = moved_if_reached(shop, "early-shipment")
    (section,) = (part for part in json.loads(state.read_text("utf-8"))["worlds"].values() if part["orders"])
    made = {name: [change.get("status") for change in changes] for name, changes in section["orders"].items()}
    assert {made.get(name) is not None for name, outcome in outcomes.items() if outcome in write_back.DONE} == {True}
    assert all(made.get(name, ["CANCELED"]) == ["CANCELED"] for name in outcomes)
    asked = {name: sum("earlyShipment" in change for change in section["orders"].get(name, ())) for name in early}
    assert max(asked.values()) == 1
    for name, outcome in early.items():
        if outcome in (WriteOutcome.WRITTEN, WriteOutcome.DECLINED, WriteOutcome.UNDER_WAY):
            assert asked[name] == 1
        elif outcome is not WriteOutcome.FAILED:
            assert asked[name] == 0


def test_what_takes_the_marketplace_long_is_under_way(
    world: Synced, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The only order of this world with a product made on demand that is invoiced."""
    monkeypatch.setattr(order_moves_of_hub, "SHIPMENT_SECONDS", 60.0)
    monkeypatch.setitem(early_shipment.wait_for_result.__kwdefaults__, "waits", (0.0,))
    shop = shop_of(world, tmp_path, writes=False)
    (shop.order_id,) = with_status(shop, "INVOICED")
    sent = moved(shop, "early-shipment")
    assert sent.outcome is WriteOutcome.UNDER_WAY
    assert shop.trail()[-1][::2] == ("order move under_way", "early-shipment")
    assert shop.last_run().outcome == "partial"
    (candidate,) = plan_of(shop, "early-shipment").candidates
    assert [str(doubt).split(",")[0] for doubt in candidate.doubts] == ["An early shipment was asked for already"]
