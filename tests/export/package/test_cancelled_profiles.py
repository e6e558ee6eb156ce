"""What each profile hands over, as a table over every state and the events that matter."""

from __future__ import annotations

from pathlib import Path

import pytest

from confere.archive.store import Archive
from confere.errors import ExportRefused
from confere.export.package.cancelled_profiles import Profile, cancels
from confere.export.package.package import export_package
from confere.export.package.request import PackageOptions, PackageRequest
from tests.export.made import COMPANY, MONTH, event, inside, key, manifest_of, note, store, voiding

PAPERS = {
    "authorized": note(1),
    "its correction": event(key(1), "110110"),
    "its refused cancellation": event(key(1), cstat="573"),
    "cancelled": note(2),
    "its cancellation": event(key(2)),
    "its correction before": event(key(2), "110110"),
    "replaced": note(3),
    "its cancellation by substitution": event(key(3), "110112"),
    "denied": note(4, cstat="301"),
    "rejected": note(5, cstat="539"),
    "without protocol": note(6, cstat=None),
    "voided": voiding(8, 9),
    "earlier, cancelled now": event(key(7, month="2026-08"), day="2026-10-02"),
    "earlier, corrected now": event(key(8, month="2026-08"), "110110", day="2026-10-02"),
}
EARLIER = (note(7, day="2026-08-08"), note(8, day="2026-08-08"))
CANCELLED = {"cancelled", "replaced"}
CANCELLATIONS = {"its cancellation", "its cancellation by substitution", "earlier, cancelled now"}

WANTED = {
    Profile.WITH_CANCELLATIONS: set(PAPERS),
    Profile.BOTH: set(PAPERS),
    Profile.CANCELLATIONS: CANCELLED | CANCELLATIONS,
    Profile.AUTHORIZATIONS: set(PAPERS)
    - CANCELLED
    - CANCELLATIONS
    - {"its correction before", "its refused cancellation"},
}


@pytest.mark.parametrize("profile", list(Profile))
def test_what_a_profile_hands_over(archive: Archive, out: Path, profile: Profile) -> None:
    store(archive, *PAPERS.values(), *EARLIER)
    result = export_package(archive, PackageRequest(COMPANY, out, PackageOptions(MONTH), profile))
    held = set(inside(result.contents.paths[0]).values())
    assert {name for name, data in PAPERS.items() if data in held} == WANTED[profile]
    assert len(held) == len(WANTED[profile]) == result.contents.xml
    told = manifest_of(result.contents.paths[0])
    assert told["profile"] == profile.value
    assert result.contents.documents + result.contents.left_out == 7
    assert sum(told["left_out_by_profile"].values()) == result.contents.left_out


def test_both_halves_stand_apart(archive: Archive, out: Path) -> None:
    store(archive, *PAPERS.values(), *EARLIER)
    held = inside(
        export_package(archive, PackageRequest(COMPANY, out, PackageOptions(MONTH), Profile.BOTH)).contents.paths[0]
    )
    halves: dict[str, set[bytes]] = {}
    for name, data in held.items():
        halves.setdefault(name.split("/")[0], set()).add(data)
    cancelled = CANCELLED | CANCELLATIONS | {"its correction before"}
    assert halves == {
        "cancelled": {PAPERS[name] for name in cancelled},
        "authorized": {PAPERS[name] for name in PAPERS.keys() - cancelled},
    }


def test_without_cancellations_there_is_nothing_of_that_kind(archive: Archive, out: Path) -> None:
    store(archive, note(1))
    with pytest.raises(ExportRefused, match="profile cancellations"):
        export_package(archive, PackageRequest(COMPANY, out, PackageOptions(MONTH), Profile.CANCELLATIONS))
    assert not out.exists()


@pytest.mark.parametrize(
    ("code", "model", "told"),
    [
        ("110111", "55", True),
        ("110112", "65", True),
        ("110111", "58", True),
        ("110112", "58", False),
        ("110110", "55", False),
        (None, "55", False),
    ],
)
def test_which_events_cancel(code: str | None, model: str, told: bool) -> None:
    assert cancels(code, model) is told
