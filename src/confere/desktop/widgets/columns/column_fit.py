"""Which columns of a table are seen and how wide they are in the room there is: one rule for every table."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Final, NamedTuple

LEFT_OUT: Final = 0
"""The width of a column that has no room."""


class ColumnRoom(NamedTuple):
    """What one column asks for, in pixels.

    `least` is what it takes however tight it is, `usual` what it is to have before any that may leave is seen, `wanted`
    what its longest text needs, and `ample` what looks calm where there is plenty. Those with the highest `rank` leave
    first, all of one rank together; one without never leaves. What is to spare goes to the lowest `turn` first.
    """

    least: int
    usual: int
    wanted: int
    ample: int
    rank: int = 0
    turn: int = 0


def fit(columns: Sequence[ColumnRoom], room: int) -> tuple[int, ...]:
    """The width of each column in `room` pixels, `LEFT_OUT` for one that leaves.

    First columns with a rank leave, then usual widths are narrowed down to the least. Where the least do not fit either
    the table scrolls, with usual widths. The sum is smaller than `room` where nothing needs the rest.
    """
    seen = set(range(len(columns)))
    for rank in sorted({column.rank for column in columns if column.rank}, reverse=True):
        if sum(columns[number].usual for number in seen) <= room:
            break
        seen = {number for number in seen if columns[number].rank != rank}
    widths = [columns[number].least if number in seen else LEFT_OUT for number in range(len(columns))]
    if sum(widths) > room:
        return tuple(columns[number].usual if number in seen else LEFT_OUT for number in range(len(columns)))
    spare = room - sum(widths)
    turns = sorted(seen, key=lambda number: (columns[number].turn, number))
    for goals in ("usual", "wanted", "ample"):
        for number in turns:
            more = min(spare, getattr(columns[number], goals) - widths[number])
            if more > 0:
                widths[number] += more
                spare -= more
    return tuple(widths)


def rest_of(widths: Sequence[int], loose: int, usual: int, room: int) -> int:
    """The width of the column at `loose`, which takes the rest of `room` pixels that the others leave.

    Where the table scrolls that is what the last one seen whole leaves, up to the `usual` width of the loose one: the
    next column would be seen as a slice, which says nothing.
    """
    ends = list(accumulate(widths))
    if ends[-1] <= room:
        return widths[loose] + room - ends[-1]
    spare = room - max((end for end in ends[loose:] if end <= room), default=room)
    return widths[loose] + min(spare, max(usual - widths[loose], 0))
