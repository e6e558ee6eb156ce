"""The way back: as a browser has it, without doubles and without end."""

from __future__ import annotations

from confere.desktop.details.back_and_forward import VisitedDocuments


def test_it_goes_back_and_forward_and_forgets_what_lay_ahead() -> None:
    trail = VisitedDocuments()
    for place in (1, 2, "key"):
        trail.go_to(place)
    assert (trail.back(), trail.back(), trail.back()) == (2, 1, None)
    assert not trail.can_go_back
    assert trail.forward() == 2
    trail.go_to(2)
    assert trail.can_go_forward
    trail.go_to(7)
    assert not trail.can_go_forward
    assert trail.forward() is None
    assert trail.back() == 2


def test_it_keeps_the_newest_places_only() -> None:
    trail = VisitedDocuments()
    for place in range(1000):
        trail.go_to(place)
    steps = 0
    while trail.back() is not None:
        steps += 1
    assert 100 < steps < 300
    trail.clear()
    assert trail.here is None
