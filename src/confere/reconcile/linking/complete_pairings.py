"""Which pairs are in every way to give each order its note: what is forced, and what stays open."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

Pair = tuple[str, str]


def forced_pairs(pairs: Sequence[Pair]) -> set[Pair]:
    """Of one component's possible pairs (order, note) those that every complete pairing holds.

    Nothing is forced where no pairing gives each order a note and each note an order: something is missing then,
    and which of them lacks its partner nobody can say. An edge is in every complete pairing exactly if no
    alternating circle goes through it, so the rest follows from one pairing and its strongly connected parts.
    """
    notes_of: dict[str, list[str]] = defaultdict(list)
    for order, note in pairs:
        notes_of[order].append(note)
    if len(notes_of) != len({note for _, note in pairs}):
        return set()
    partner = _pairing(notes_of)
    if not partner:
        return set()
    order_of = {note: order for order, note in partner.items()}
    # From an order by a free edge to a note, and by the pairing on to that note's order: a circle of these swaps.
    steps = {order: [order_of[note] for note in notes if partner[order] != note] for order, notes in notes_of.items()}
    part = _strong_parts(steps)
    alone = _sizes(part.values())
    return {(order, note) for order, note in partner.items() if alone[part[order]] == 1}


def _pairing(notes_of: dict[str, list[str]]) -> dict[str, str]:
    """A pairing of every order, order to note, by augmenting paths; empty where there is none.

    Without recursion: components can be long.
    """
    order_of: dict[str, str] = {}
    note_of: dict[str, str] = {}
    for start in notes_of:
        came: dict[str, str] = {}  # note: the order that it was reached from
        queue = [start]
        free = None
        for order in queue:
            for note in notes_of[order]:
                if note in came:
                    continue
                came[note] = order
                if note not in order_of:
                    free = note
                    break
                queue.append(order_of[note])
            if free is not None:
                break
        if free is None:
            return {}
        while free is not None:
            order = came[free]
            before = note_of.get(order)
            order_of[free], note_of[order] = order, free
            free = before
    return note_of


def _strong_parts(steps: dict[str, list[str]]) -> dict[str, int]:
    """Number of the strongly connected part of each node (Tarjan's way, without recursion)."""
    number: dict[str, int] = {}
    low: dict[str, int] = {}
    part: dict[str, int] = {}
    stack: list[str] = []
    for start in steps:
        if start in number:
            continue
        work = [(start, iter(steps[start]))]
        number[start] = low[start] = len(number)
        stack.append(start)
        while work:
            node, rest = work[-1]
            following = next(rest, None)
            if following is None:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == number[node]:
                    while True:
                        member = stack.pop()
                        part[member] = number[node]
                        if member == node:
                            break
            elif following not in number:
                number[following] = low[following] = len(number)
                stack.append(following)
                work.append((following, iter(steps[following])))
            elif following not in part:
                low[node] = min(low[node], number[following])
    return part


def _sizes(parts: Iterable[int]) -> dict[int, int]:
    sizes: dict[int, int] = defaultdict(int)
    for number in parts:
        sizes[number] += 1
    return sizes
