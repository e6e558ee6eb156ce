"""Mutants that change nothing anybody can see, each with why; they are not drawn."""

from __future__ import annotations

from typing import Final

from tests.house.mutation.mutant import Mutant

EQUIVALENT: Final[dict[tuple[str, str], str]] = {
    (
        "start = data.find(_TAG, end + len(_TAG) + 2)  # past the closing tag",
        "start = data.find(_TAG, (end + len(_TAG) - 2))  # past the closing tag",
    ): "any place behind the first letter of the closing tag's name skips it",
    (
        "if self.rate > self._bolder_above and now > self._bolder_at:",
        "if self.rate >= self._bolder_above and now > self._bolder_at:",
    ): "both come of products of fractions and are equal by chance alone; the next growth is above",
    (
        """or (any(part[:1] == b" " for part in inside.split(b'"')) and _SECOND.search(inside) is not None)""",
        """or (any(part[:1] != b' ' for part in inside.split(b'"')) and _SECOND.search(inside) is not None)""",
    ): "the first condition only saves the search, which holds nowhere else",
    (
        "on_its_last = offset % full == 0 and offset // full + 1 >= sheets if full > 0 else True",
        "on_its_last = offset % full == 0 and offset // full + 1 >= sheets if full > 1 else True",
    ): "of pages of one item the line before has decided, or the count behind it does",
    (
        "if state.dictionary_id is not None and ratio * 1.1 > state.recent_ratio:",
        "if state.dictionary_id is not None and ratio * 1.1 >= state.recent_ratio:",
    ): "a product of a fraction and a quotient of sizes, equal by chance alone",
    (
        "if span.to_at > found[-1].to_at:",
        "if span.to_at >= found[-1].to_at:",
    ): "of spans that end alike the one made anew is the same",
    (
        'code, cstat, ground = best.code or "-", best.cstat or "-", _ground(best)',
        """code, cstat, ground = best.code or '-x', best.cstat or "-", _ground(best)""",
    ): "only events of a code that cancels come here",
    (
        "if sent_at < self._changed_at:  # an echo: it was under way when the pace changed",
        "if sent_at <= self._changed_at:  # an echo: it was under way when the pace changed",
    ): "two readings of a monotonic clock, equal by chance alone",
    (
        "self._size = 0",
        "self._size = 1",
    ): "set anew when the file is opened; only far beyond the longest file it would matter before",
    (
        "echo = sent_at < self._changed_at",
        "echo = sent_at <= self._changed_at",
    ): "two readings of a monotonic clock, equal by chance alone",
}
"""By the line before and after, without its indent: where the line changes, it is looked at again."""


def reason_of(mutant: Mutant) -> str | None:
    """Why this mutant changes nothing; None where it does, or nobody looked."""
    return EQUIVALENT.get((mutant.before.strip(), mutant.after.strip()))
