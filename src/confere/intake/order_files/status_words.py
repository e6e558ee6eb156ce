"""What the statuses of an order file mean: by a person's word, as remembered per marketplace, else by common words."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from confere.errors import N_, NC_, UsageFault, message
from confere.intake.order_files.columns import plain
from confere.sales.order import KNOWN_STATUSES, REFUNDED, RETURNED, OrderStatus

MEANINGS: Final[Mapping[str, str]] = {
    "pending": OrderStatus.PENDING.value,
    "paid": OrderStatus.PAID_WAITING_SHIP.value,
    "invoiced": OrderStatus.INVOICED.value,
    "shipped": OrderStatus.PAID_WAITING_DELIVERY.value,
    "delivered": OrderStatus.CONCLUDED.value,
    "cancelled": OrderStatus.CANCELED.value,
    "returned": RETURNED,
    "refunded": REFUNDED,
}
"""What a person can say that a word means, and the status it is."""
MEANING_WORDS: Final[Mapping[str, str]] = {
    "pending": N_("pending"),
    "paid": N_("paid, to be shipped"),
    "invoiced": N_("invoiced"),
    "shipped": N_("shipped"),
    "delivered": N_("delivered"),
    "cancelled": N_("cancelled"),
    "returned": NC_("order", "returned"),
    "refunded": N_("refunded"),
}
"""What each is called: ids of the catalogue."""
MOST_REMEMBERED: Final = 300
_PARTED: Final = "/"  # between marketplace and word


def parse(texts: Sequence[str]) -> dict[str, str]:
    """`WORD=status,WORD=status` as people type it, to the status that each means. Raises `UsageFault`."""
    found: dict[str, str] = {}
    for row in csv.reader(texts, skipinitialspace=True):
        for part in row:
            word, sign, meaning = part.rpartition("=")
            if not sign or not word.strip():
                raise UsageFault(
                    message("{text} does not say what a status means.", text=part),
                    message('Write it as --status "Devolvido=returned,Em rota=shipped".'),
                )
            status = MEANINGS.get(meaning.strip().lower(), meaning.strip().upper())
            if status not in KNOWN_STATUSES:
                raise UsageFault(
                    message("{text} is no status of an order.", text=meaning.strip()),
                    message("Choose one of: {known}.", known=", ".join(MEANINGS)),
                )
            found[word.strip()] = status
    return found


class Statuses:
    """`remembered` are by marketplace and word, as `to_remember` made them; `given` by the word alone."""

    def __init__(self, remembered: Mapping[str, str], given: Mapping[str, str]) -> None:
        self._remembered = remembered
        self._given = {plain(word): status for word, status in given.items()}
        self._used: dict[str, str] = {}

    def meaning(self, marketplace: str, word: str, usual: str) -> str:
        """The status of an order of which the file says `word`; `usual` where nobody said anything of it."""
        name = plain(word)
        key = f"{plain(marketplace)}{_PARTED}{name}"
        if name in self._given:
            self._used[key] = self._given[name]
            return self._given[name]
        status = self._remembered.get(key)
        return status if status in KNOWN_STATUSES else usual

    def to_remember(self) -> dict[str, str]:
        """What the account knows of statuses after the file was read."""
        known = {**self._remembered, **self._used}
        return dict(list(known.items())[-MOST_REMEMBERED:])


def check(given: Iterable[str], words: Iterable[str]) -> None:
    """Raises `UsageFault` for a word that no order of the file has: a slip of the pen would go unseen."""
    known = {plain(word): word for word in words}
    for word in given:
        if plain(word) not in known:
            raise UsageFault(
                message("No order of the file has the status {word}.", word=word),
                message("Its statuses are: {known}.", known=", ".join(known.values()) or "-"),
            )
