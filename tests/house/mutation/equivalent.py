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
}
"""By the line before and after, without its indent: where the line changes, it is looked at again."""


def reason_of(mutant: Mutant) -> str | None:
    """Why this mutant changes nothing; None where it does, or nobody looked."""
    return EQUIVALENT.get((mutant.before.strip(), mutant.after.strip()))
