"""What the statuses of an order file mean: by a person's word, as remembered per marketplace, else by common words."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from confere.errors import UsageFault, message
from confere.intake.order_files import columns
from confere.intake.order_files.columns import plain
from confere.sales.order import KNOWN_STATUSES, STATUS_MEANING_WORDS, STATUS_MEANINGS

MOST_REMEMBERED: Final = 300
_PARTED: Final = "/"  # between marketplace and word


def parse(texts: Sequence[str]) -> dict[str, str]:
    """`WORD=status,WORD=status` as people type it, to the status that each means. Raises `UsageFault`.

    A status is a code of `STATUS_MEANINGS`, what it is called in any language, or the hub's own.
    """
    found: dict[str, str] = {}
    for row in csv.reader(texts, skipinitialspace=True):
        for part in row:
            word, sign, meaning = part.rpartition("=")
            if not sign or not word.strip():
                raise UsageFault(
                    message("{text} does not say what a status means.", text=part),
                    message(
                        'Write it as --status "Devolvido={returned},Em rota={shipped}".',
                        returned=columns.typed(STATUS_MEANING_WORDS["returned"]),
                        shipped=columns.typed(STATUS_MEANING_WORDS["shipped"]),
                    ),
                )
            code = columns.meant(meaning, STATUS_MEANING_WORDS)
            status = meaning.strip().upper() if code is None else STATUS_MEANINGS[code]
            if status not in KNOWN_STATUSES:
                raise UsageFault(
                    message("{text} is no status of an order.", text=meaning.strip()),
                    message("Choose one of: {known}.", known=columns.listed(STATUS_MEANING_WORDS)),
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
