"""The sections of the settings by the names they are asked for, with their titles and drawings."""

from __future__ import annotations

from typing import NamedTuple

from confere.errors import N_


class SectionFace(NamedTuple):
    """`title` is an English text to be translated, `icon` the name of a drawing."""

    title: str
    icon: str


SECTIONS = {
    "accounts": SectionFace(N_("Accounts"), "link"),
    "archive": SectionFace(N_("Archive"), "lock"),
    "schedule": SectionFace(N_("Unattended work"), "clock"),
    "terms": SectionFace(N_("Reconciliation"), "reconcile"),
    "names": SectionFace(N_("Export names"), "export"),
    "look": SectionFace(N_("Appearance and language"), "moon"),
}
"""In the order of the page."""
