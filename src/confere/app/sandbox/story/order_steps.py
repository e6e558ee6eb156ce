"""The order's steps: it comes, is invoiced, announced, archived, written back, shipped, delivered and over."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import Any, Final

from confere.app.accounts.sync import SyncRequest, sync_accounts
from confere.app.archive_session import OpenArchive
from confere.app.documents import full_document
from confere.app.orders import order_moves, write_back
from confere.app.orders.order_moves import OrderMoveKind
from confere.app.orders.write_back import DONE, RequestPreview, Sent, WriteOutcome
from confere.app.reconciliation.reconcile import reconcile
from confere.app.sandbox.story.scene import ACCOUNT, Scene, StoryBroken, StoryCall
from confere.app.sandbox.story.seller_steps import MARKETPLACE, SKUS
from confere.errors import message
from confere.system.processes.command_text import command_text

_MOST_TRIES: Final = 24
"""Orders that are asked for, and repetitions of one: at the sandbox one early shipment in four is refused."""
_ANNOUNCED: Final = "Announced by the hub"


def create_order(scene: Scene) -> None:
    """As the marketplace creates it; the client has it after its next sync."""
    order = scene.seller("POST", "/orders", _order("LV-STORY-1", SKUS[0]))
    scene.kept["order"] = order["id"]
    scene.equal(order["status"], "PAID_WAITING_SHIP", "status")
    _sync_orders(scene)
    scene.equal(_archived(scene, order["id"])["status"], "PAID_WAITING_SHIP", "status")


def issue_invoice(scene: Scene) -> None:
    """The NF-e appears at the hub; the order itself says nothing of it yet."""
    issued = scene.panel("POST", "/invoices", {"orderId": scene.kept["order"]})
    scene.kept["invoice"] = issued["invoice"]
    document = scene.seller("GET", f"/fiscalDocuments/{issued['id']}")
    scene.kept["document"] = document
    scene.equal(document["documentKey"], issued["documentKey"], "documentKey")
    scene.equal(document["orderId"], scene.kept["order"], "orderId")
    order = scene.seller("GET", f"/orders/{scene.kept['order']}")
    scene.equal((order["status"], order.get("invoice")), ("PAID_WAITING_SHIP", None), "status, invoice")


def take_callback(scene: Scene) -> None:
    """What the hub announced when the invoice was issued has arrived at the listener."""
    scene.wait(lambda: bool(scene.listener.noted(_ANNOUNCED)), message("No notification of the invoice arrived."))
    note = scene.listener.noted(_ANNOUNCED)[0]
    scene.equal((note.params["new"], note.params["downloaded"]), (1, 1), "new, downloaded")
    scene.note(StoryCall("POST /callbacks/story", f"{{… {scene.kept['document']['id']} …}}", "202"))
    # It has done its part; what it would archive from now on would stand in the way of what the client writes.
    scene.panel("POST", "/callbacks", {"url": None, "topics": []})
    scene.listener.close()
    scene.listener.check()


def archive_file(scene: Scene) -> None:
    """The XML in the archive is what the hub has, to the last byte."""
    document = scene.kept["document"]
    served = scene.file(document["documents"][0]["path"]["document_item_id"])
    with scene.workspace.reading() as archive, archive.reading() as transaction:
        row = full_document.named(transaction, document["documentKey"]).row
        kept = b"" if row is None else archive.vault.get(transaction, row.content_id)
    scene.equal(sha256(kept).hexdigest(), sha256(served).hexdigest(), "SHA-256")
    scene.note(
        StoryCall(command_text(("confere", "show", document["documentKey"], "--xml")), "", f"{len(served)} bytes")
    )


def write_invoice(scene: Scene) -> None:
    """The order is invoiced by the client: it gives it the invoice that it has archived."""
    reconcile(scene.workspace, (ACCOUNT,), stop=scene.stop)
    opened = OpenArchive(scene.workspace)
    try:
        plan = write_back.plan(opened, ACCOUNT, orders=(str(scene.kept["order"]),))
    finally:
        opened.close()
    for left in plan.left_out:
        raise StoryBroken(left.why)
    _send(scene, [write_back.preview(candidate) for candidate in plan.candidates])
    order = scene.seller("GET", f"/orders/{scene.kept['order']}")
    scene.equal((order["status"], order["invoice"]), ("INVOICED", scene.kept["invoice"]), "status, invoice")


def ship(scene: Scene) -> None:
    details = order_moves.MoveDetails(carrier="Rápida", number="BR0001")
    order = _moved(scene, OrderMoveKind.SHIPPED, details)
    scene.equal(
        (order["status"], order["tracking"]["carrier"]), ("PAID_WAITING_DELIVERY", "Rápida"), "status, tracking.carrier"
    )


def deliver(scene: Scene) -> None:
    order = _moved(scene, OrderMoveKind.DELIVERED)
    scene.equal(order["status"], "PAID_WAITING_DELIVERY", "status")
    scene.check("deliveredDate" in order["tracking"], message("The order does not say when it arrived."))


def conclude(scene: Scene) -> None:
    scene.equal(_moved(scene, OrderMoveKind.CONCLUDED)["status"], "CONCLUDED", "status")


def fail_early_shipment(scene: Scene) -> None:
    """Orders of a product made on demand are asked for early until the marketplace refuses one."""
    for number in range(_MOST_TRIES):
        scene.calls.clear()  # those of an order that was shipped at once are not this step's
        order = scene.seller("POST", "/orders", _order(f"LV-EARLY-{number}", SKUS[1]))
        invoice = scene.panel("POST", "/invoices", {"orderId": order["id"]})["invoice"]
        body = {"order_id": str(order["id"]), "status": "INVOICED", "invoice": invoice}
        scene.seller("PUT", f"/orders/{order['id']}", body)
        _sync_orders(scene)
        sent = _asked_early(scene, order["id"])
        if sent.outcome is WriteOutcome.DECLINED:
            break
    else:
        raise StoryBroken(message("No early shipment was refused."))
    scene.kept["early"] = order["id"]
    shown = scene.seller("GET", f"/orders/{order['id']}")
    scene.equal((shown["status"], shown["transmissionStatus"]), ("INVOICED", "ERROR"), "status, transmissionStatus")
    scene.equal(shown["transmissionMessage"], sent.hub_words, "transmissionMessage")


def retry_early_shipment(scene: Scene) -> None:
    """The same order is asked for again until the marketplace takes it."""
    for _ in range(_MOST_TRIES):
        scene.calls.clear()
        if _asked_early(scene, scene.kept["early"]).outcome is WriteOutcome.WRITTEN:
            break
    else:
        raise StoryBroken(message("The early shipment was refused again and again."))
    shown = scene.seller("GET", f"/orders/{scene.kept['early']}")
    scene.equal(
        (shown["status"], shown["transmissionStatus"]), ("PAID_WAITING_DELIVERY", "OK"), "status, transmissionStatus"
    )


def _moved(scene: Scene, kind: OrderMoveKind, details: order_moves.MoveDetails | None = None) -> Any:
    """The order at the hub after the client's move of it, which must have been made."""
    order_id = scene.kept["order"]
    for sent in _send(scene, _previews(scene, order_id, kind, details)):
        scene.check(sent.outcome in DONE, message("The order was not moved: {why}.", why=sent.outcome.value))
    return scene.seller("GET", f"/orders/{order_id}")


def _asked_early(scene: Scene, order_id: int) -> Sent:
    [sent] = _send(scene, _previews(scene, order_id, OrderMoveKind.EARLY_SHIPMENT))
    return sent


def _previews(
    scene: Scene, order_id: int, kind: OrderMoveKind, details: order_moves.MoveDetails | None = None
) -> list[RequestPreview[order_moves.MoveCandidate]]:
    opened = OpenArchive(scene.workspace)
    try:
        plan = order_moves.plan(opened, ACCOUNT, (str(order_id),), order_moves.move_of(kind, details))
    finally:
        opened.close()
    for left in plan.left_out:
        raise StoryBroken(left.why)
    return [write_back.preview(candidate) for candidate in plan.candidates]


def _send(scene: Scene, previews: Sequence[RequestPreview[Any]]) -> list[Sent]:
    """What became of each request, which is one of the step's calls."""
    scene.check(bool(previews), message("There is nothing to send."))
    sent = write_back.send(scene.workspace, ACCOUNT, previews, stop=scene.stop).sent
    for preview, answer in zip(previews, sent, strict=True):
        scene.note(StoryCall(f"{preview.method} {preview.path}", preview.body, answer.outcome.value))
    return sent


def _sync_orders(scene: Scene) -> None:
    result = sync_accounts(scene.workspace, (ACCOUNT,), SyncRequest(documents=False), stop=scene.stop)
    scene.check(result.orders is not None and not result.orders.failed, message("Orders could not be synced."))
    scene.note(StoryCall(f"confere sync --account {ACCOUNT} --only-orders", "", "0"))


def _archived(scene: Scene, order_id: int) -> Any:
    from confere.app.orders.orders import show

    found = show(scene.workspace, str(order_id), account=ACCOUNT)
    return {"status": found.order.status}


def _order(number: str, sku: str) -> dict[str, Any]:
    return {
        "status": "PAID_WAITING_SHIP",
        "marketPlace": MARKETPLACE,
        "marketPlaceId": number,
        "buyer": {
            "name": "Ana Conceição",
            "document": "52998224725",
            "documentType": "CPF",
            "email": "ana@correio.example",
            "phone": "11912345678",
        },
        "shipping": {
            "city": "Campinas",
            "state": "SP",
            "country": "BR",
            "address": "Rua das Acácias, 12 - Centro",
            "zipCode": "13010000",
        },
        "items": [{"sku": {"partnerId": sku}, "amount": 1}],
    }
