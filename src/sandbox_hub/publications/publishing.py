"""The life of a publication: pre-validation, the seller's yes or Stand By, updates, removal, and the hooks they call.

What the specification does not show and is decided here: a publication that /canSave does not accept stays in
pre-validation with the reason, and sending it asks again; one SKU has one publication on a marketplace; what the
marketplace reports calls no hook, since it would be told its own words; a hook that fails is tried a few times and
then given up, and what changed is told with the next update.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import replace

from sandbox_hub.publications.hooks import CAN_SAVE, DELETE_PUBLICATION, SEND_PRODUCT, HookAnswer, Hooks
from sandbox_hub.publications.messages import deletion_payload, event_payload, publication_record
from sandbox_hub.publications.publication import (
    ACCEPTED,
    ACTIVE,
    PRE_VALIDATION,
    REMOVED,
    STAND_BY,
    UNPUBLISHED,
    Confirmation,
    HookCall,
    OfferedSku,
    Part,
    Publication,
    Terms,
    with_call,
)
from sandbox_hub.publications.publications import Publications


class NotPossible(Exception):
    """What was asked for does not fit the publication's state; its text says why, in Portuguese."""


class Publishing:
    """Moves publications. From `resume` on every method is called in the server's event loop, and calls hooks."""

    def __init__(
        self, publications: Publications, hooks: Hooks, now: Callable[[], int], save: Callable[[], None]
    ) -> None:
        self.publications = publications
        self.hooks = hooks
        self._now = now
        self._save = save
        self._deliveries: dict[int, asyncio.Task[None]] = {}
        self._calls_hooks = False

    def resume(self) -> None:
        """Call hooks from now on, and first those that a former process left to be called."""
        self._calls_hooks = True
        for publication in self.publications.all():
            self._wake(publication)

    async def create(self, sku: OfferedSku, marketplace: str, terms: Terms, *, send: bool | None) -> Publication:
        """Create one and ask /canSave; `send` is the seller's answer to whether it is sent, None: not yet given."""
        if any((other.sku.id, other.marketplace) == (sku.id, marketplace) for other in self.publications.standing()):
            raise NotPossible("O SKU já tem uma publicação neste marketplace.")
        publication = await self._validate(self.publications.create(sku, marketplace, terms))
        if send is None or publication.status != ACCEPTED:
            return publication
        return self._answer(publication, send=send)

    async def send(self, publication: Publication, *, send: bool) -> Publication:
        """The seller's answer, or the SEND button; what was sent before is sent again."""
        if publication.status == PRE_VALIDATION:
            publication = await self._validate(publication)
            if publication.status != ACCEPTED:
                return publication
        if not publication.is_sent:
            return self._answer(publication, send=send)
        if not send:
            raise NotPossible("A publicação já foi enviada ao marketplace.")
        return self._fire(publication, ())

    def update(self, publication: Publication, terms: Terms) -> Publication:
        """Offer these terms from now on; what changes nothing is no update."""
        former = publication.terms
        if terms == former:
            return publication
        changed = []
        if terms[:3] != former[:3]:
            changed.append(Part.PRICE)
        if terms.available != former.available:
            changed.append(Part.STOCK)
        return self._fire(self.publications.change(replace(publication, terms=terms)), changed)

    def follow(self, publication: Publication, sku: OfferedSku) -> None:
        """Take over what has changed of the SKU since the last time; what the seller changed here stays beside it."""
        if sku == publication.sku:
            return
        former, offer, terms = publication.sku.offer, sku.offer, publication.terms
        followed = replace(publication, sku=sku)
        self.publications.keep(followed)
        if offer[:3] != former[:3]:
            terms = Terms(*offer[:3], *terms[3:])
        if offer.available != former.available:
            terms = terms._replace(available=offer.available)
        if terms != publication.terms:
            self.update(followed, terms)
        elif sku._replace(offer=former) != publication.sku:
            followed = self.publications.change(followed)
            if not followed.syncs_only:  # else later updates carry price, stock and status alone
                self._fire(followed, ())

    def set_status(self, publication: Publication, status: str | None, text: str | None) -> Publication:
        """The seller's system says the status: an update of the publication, which the marketplace is told of."""
        updated = self._with_status(publication, status, text)
        if updated == publication:
            return publication
        return self._fire(self.publications.change(updated), [Part.STATUS])

    def report(
        self,
        publication: Publication,
        status: str | None,
        text: str | None,
        sku_in_marketplace: str | None,
        id_in_marketplace: str | None,
        confirmation: Confirmation | None,
    ) -> Publication:
        """The marketplace says what became of it; None: it says nothing of this."""
        updated = self._with_status(publication, status, text)
        if sku_in_marketplace is not None:
            updated = replace(updated, sku_in_marketplace=sku_in_marketplace)
        if id_in_marketplace is not None:
            updated = replace(updated, id_in_marketplace=id_in_marketplace)
        # A confirmation of what was confirmed before is no news, whenever it came.
        if confirmation is not None and (updated.confirmed is None or confirmation[1:] != updated.confirmed[1:]):
            updated = replace(updated, confirmed=confirmation)
        if updated == publication:
            return publication
        updated = self.publications.change(updated)
        self._save()
        return updated

    def confirm(
        self,
        publication: Publication,
        sku_in_marketplace: str | None,
        id_in_marketplace: str | None,
        confirmation: Confirmation,
    ) -> Publication:
        """The marketplace's lighter update of price and stock, for a publication that is limited to it."""
        if not publication.syncs_only:
            raise NotPossible("A publicação não está limitada a preço, estoque e status: use PUT /skumarketplace/{id}.")
        return self.report(publication, None, None, sku_in_marketplace, id_in_marketplace, confirmation)

    def remove(self, publication: Publication) -> Publication:
        """Delete it in the hub; the marketplace is told, whatever its state. Again: only where that failed before."""
        if publication.status != REMOVED:
            publication = self.publications.change(replace(publication, status=REMOVED, unsent=(), reason=""))
        elif not publication.unsent:
            raise NotPossible("A publicação já foi removida.")
        return self._fire(publication, [Part.STATUS])

    def _answer(self, publication: Publication, *, send: bool) -> Publication:
        status = UNPUBLISHED if send else STAND_BY
        if status != publication.status:
            publication = self.publications.change(replace(publication, status=status))
        return self._fire(publication, tuple(Part) if send else ())

    def _with_status(self, publication: Publication, status: str | None, text: str | None) -> Publication:
        if not publication.is_sent:
            raise NotPossible("A publicação não está no marketplace: não tem status a informar.")
        if status is None and text is not None and text.casefold() == ACTIVE.casefold():
            status = ACTIVE
        return replace(
            publication,
            status=publication.status if status is None else status,
            marketplace_status=publication.marketplace_status if text is None else text,
        )

    async def _validate(self, publication: Publication) -> Publication:
        self._save()
        answer = await self.hooks.call(CAN_SAVE, publication_record(publication))
        present = self.publications.get(publication.id)
        assert present is not None
        present = replace(present, calls=with_call(present.calls, self._called(CAN_SAVE, answer)))
        if present.status == PRE_VALIDATION:  # nobody removed it meanwhile
            accepted = answer.status == 200 and answer.content is True
            reason = "" if accepted else answer.reason or "O marketplace não aceitou a publicação."
            present = self.publications.change(
                replace(present, status=ACCEPTED if accepted else PRE_VALIDATION, reason=reason)
            )
        else:
            self.publications.keep(present)
        self._save()
        return present

    def _fire(self, publication: Publication, parts: Iterable[Part]) -> Publication:
        """Have the marketplace told of these parts of a publication that it is to know of."""
        if publication.is_sent or publication.status == REMOVED:
            unsent = {*publication.unsent, *parts}
            publication = replace(
                publication,
                unsent=tuple(part.value for part in Part if part in unsent),
                due=True,
                revision=publication.revision + 1,
            )
            self.publications.keep(publication)
            self._wake(publication)
        self._save()
        return publication

    def _wake(self, publication: Publication) -> None:
        if self._calls_hooks and publication.due and publication.id not in self._deliveries:
            delivery = asyncio.get_running_loop().create_task(self._deliver(publication.id))
            self._deliveries[publication.id] = delivery

    async def _deliver(self, publication_id: int) -> None:
        """Call the hook of a publication until nothing new is to be said: one call at a time, in order."""
        try:
            await self._deliver_all(publication_id)
        finally:  # at once: a change that comes between the last look and the task's end would wake nobody
            del self._deliveries[publication_id]

    async def _deliver_all(self, publication_id: int) -> None:
        while (publication := self.publications.get(publication_id)) is not None and publication.due:
            if publication.status == REMOVED:
                hook, body = DELETE_PUBLICATION, deletion_payload(publication)
            else:
                hook, body = SEND_PRODUCT, event_payload(publication, self.publications.main_of(publication))
            answer = await self.hooks.call(hook, body)
            present = self.publications.get(publication_id)
            assert present is not None
            present = replace(present, calls=with_call(present.calls, self._called(hook, answer)))
            if present.revision == publication.revision:  # else it changed on the way: there is more to say
                present = replace(present, due=False, unsent=() if answer.delivered else present.unsent)
            self.publications.keep(present)
            self._save()

    def _called(self, hook: str, answer: HookAnswer) -> HookCall:
        return HookCall(hook, self._now(), answer.tries, answer.delivered, answer.status, answer.reason)
