"""How verdicts are kept: a number for the result, and for its lines one letter a check, in the order of the checks."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from confere.fiscal.authenticity.verdict import Check, CheckLine, Result

CHECKS: Final = tuple(Check)
PLACES: Final = {check: place for place, check in enumerate(CHECKS)}
LETTERS: Final = {
    Result.OK: "o",
    Result.FAILED: "f",
    Result.NOT_APPLICABLE: "n",
    Result.UNCHECKED: "u",
    Result.TEST: "t",
}
ALTERED: Final = "a"
"""Of a line that failed because what stands there is not what was signed."""
BY_LETTER: Final = {letter: result for result, letter in LETTERS.items()} | {ALTERED: Result.FAILED}
LEFT_OUT: Final = "-"
RESULTS: Final = (Result.OK, Result.UNCHECKED, Result.FAILED, Result.TEST)
"""What a document's column holds is the place of its result among these."""
_FAILED: Final = frozenset({LETTERS[Result.FAILED], ALTERED})


def number_of(word: str) -> int:
    """What a document's column holds for ok, unchecked, failed or test."""
    return RESULTS.index(Result(word))


def verdict_of(number: int | None) -> str | None:
    """The word for what a document's column holds; None where it was not judged."""
    return None if number is None or not 0 <= number < len(RESULTS) else RESULTS[number].value


def letter_of(line: CheckLine) -> str:
    """How a line is kept."""
    return ALTERED if line.altered else LETTERS[line.result]


@lru_cache(maxsize=1024)
def failed_in(lines: str) -> frozenset[Check]:
    """The checks that failed."""
    return frozenset(check for check, letter in zip(CHECKS, lines, strict=False) if letter in _FAILED)


def is_unchecked(lines: str, apart: frozenset[Check]) -> bool:
    """Whether a check could not be made, those `apart` left out."""
    unchecked = LETTERS[Result.UNCHECKED]
    return any(letter == unchecked and check not in apart for check, letter in zip(CHECKS, lines, strict=False))


def is_answer_alone(lines: str) -> bool:
    """Of an event's lines: whether the file holds the authority's answer alone. Only then there is no Id to compare."""
    return lines[PLACES[Check.KEY_FIELDS] :][:1] == LETTERS[Result.NOT_APPLICABLE]
