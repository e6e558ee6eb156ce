"""How the ground of a state is kept: a number for each, in the order in which they were invented."""

from __future__ import annotations

from typing import Final

from confere.errors import UsageFault, message
from confere.fiscal.document_models import Ground

_GROUNDS: Final = (
    Ground.AUTHENTIC_EVENT,
    Ground.UNCHECKED_EVENT,
    Ground.ANSWER_ALONE,
    Ground.OTHER_DOCUMENT,
    Ground.CONTRADICTED,
    Ground.NOTHING,
)
_NUMBERS: Final = {ground: number for number, ground in enumerate(_GROUNDS)}


def number_of(ground: str) -> int:
    """The number of `ground`; `UsageFault` where there is none of that name."""
    try:
        return _NUMBERS[Ground(ground)]
    except ValueError:
        raise UsageFault(
            message("{value} is nothing that a state can stand on.", value=ground),
            message("Give one of {values}.", values=", ".join(_GROUNDS)),
        ) from None


def ground_of(number: int | None) -> str | None:
    """Its name; None for what has no state of its own, and for a number of a newer release."""
    return _GROUNDS[number].value if number is not None and 0 <= number < len(_GROUNDS) else None
