"""Which entries of the palette a few letters mean, and in which order: the most used first."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from confere.desktop.core.window_memory import Memory
from confere.system.plain_text import folded, folded_words

_REMEMBERED = "palette/uses"
_MOST = 100  # entries whose use is remembered
_WHOLE_WORD, _BEGINS, _INSIDE, _SCATTERED = 0, 1, 2, 3  # how well a word that was typed fits, the best first


class PaletteEntry(NamedTuple):
    """Something the palette does. `why_not` says why it cannot be done now; empty where it can.

    `name` is stable and never shown; `kind` and `keys` (a shortcut) are shown beside the title.
    """

    name: str
    title: str
    kind: str
    run: Callable[[], object]
    keys: str = ""
    why_not: str = ""


class Uses:
    """How often each entry was chosen, as the window remembers it."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._counts = _read(memory.text(_REMEMBERED))

    def count(self, name: str) -> int:
        """How often this entry was chosen."""
        return self._counts.get(name, 0)

    def add(self, name: str) -> None:
        """It was chosen once more."""
        self._counts[name] = self.count(name) + 1
        kept = sorted(self._counts.items(), key=lambda known: -known[1])[:_MOST]
        self._counts = dict(kept) | {name: self._counts[name]}
        self._memory.put(_REMEMBERED, json.dumps(self._counts))


def ranked(entries: Iterable[PaletteEntry], typed: str, uses: Callable[[str], int]) -> list[PaletteEntry]:
    """The entries that `typed` means: what fits best first, of those the most used, else as they came.

    Each word that was typed has to fit the title or the kind: as the beginning of a word, inside of one, or as letters
    in this order. Accents and capitals make no difference. Nothing typed: all, the most used first.
    """
    words = folded_words(typed).split()
    found = []
    for place, entry in enumerate(entries):
        fit = _fit(words, entry)
        if fit is not None:
            found.append(((fit, -uses(entry.name), place), entry))
    return [entry for _, entry in sorted(found, key=lambda known: known[0])]


def _fit(words: Sequence[str], entry: PaletteEntry) -> int | None:
    """The worst fit of the words; None where one does not fit."""
    title = folded(f"{entry.title} {entry.kind} {entry.keys}")
    parts = title.replace("-", " ").replace("/", " ").split()
    worst = _WHOLE_WORD
    for word in words:
        if word in parts:
            fit = _WHOLE_WORD
        elif any(part.startswith(word) for part in parts):
            fit = _BEGINS
        elif word in title:
            fit = _INSIDE
        elif len(word) > 1 and _in_order(word, folded(entry.title)):
            fit = _SCATTERED
        else:
            return None
        worst = max(worst, fit)
    return worst


def _in_order(letters: str, text: str) -> bool:
    """Whether the letters come in `text` in this order, the first of them at the beginning of a word."""
    starts = [0, *(place + 1 for place, letter in enumerate(text) if letter == " ")]
    for start in starts:
        rest = iter(text[start:])
        if text[start : start + 1] == letters[0] and all(letter in rest for letter in letters):
            return True
    return False


def _read(text: str) -> dict[str, int]:
    """What was remembered; nothing where that is no longer what we wrote."""
    try:
        kept = json.loads(text or "{}")
    except ValueError:
        return {}
    if not isinstance(kept, dict):
        return {}
    return {name: count for name, count in kept.items() if isinstance(count, int)}
