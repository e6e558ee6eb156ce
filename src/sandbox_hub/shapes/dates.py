"""Which texts a date filter takes, and what each means."""

from __future__ import annotations

import re

from sandbox_hub.shapes.names import Shape, Shapes
from sandbox_hub.world.timeline import first_second, last_second

_DATE = r"\d{4}-\d\d-\d\d"
_TIME = r"T\d\d:\d\d:\d\d"
_ZONE = r"(Z|[+-]\d\d:?\d\d)"
_TAKEN = {
    Shape.DATES_DATE_ONLY: (re.compile(_DATE, re.ASCII), "AAAA-MM-DD"),
    Shape.DATES_NO_ZONE: (re.compile(_DATE + _TIME, re.ASCII), "AAAA-MM-DDThh:mm:ss, sem fuso"),
    Shape.DATES_MILLISECONDS: (
        re.compile(_DATE + _TIME + r"[.]\d{3}" + _ZONE, re.ASCII),
        "AAAA-MM-DDThh:mm:ss.SSS com fuso",
    ),
}
_HUB_OFFSET = "-03:00"


class RefusedDate(ValueError):
    """This hub does not take dates in this form; its text says which it takes."""


def read_date(shapes: Shapes, text: str, *, upper: bool) -> int:
    """The first second that `text` includes, or (`upper`) the last.

    Raises RefusedDate where this hub takes no such form, ValueError or OverflowError where it is no date at all.
    """
    if Shape.DATES_REFUSED in shapes:
        raise RefusedDate("nenhum filtro de data")
    for shape, (form, example) in _TAKEN.items():
        if shape in shapes and not form.fullmatch(text):
            raise RefusedDate(example)
    moment = text + _HUB_OFFSET if Shape.DATES_NO_ZONE in shapes else text
    return last_second(moment) if upper else first_second(moment)
