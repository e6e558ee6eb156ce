"""The figures that every sync of a hub's list has, whatever is listed."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True)
class ListingFigures:
    """`listed` counts distinct records of the list, `new` those that the account never had before."""

    listed: int = 0
    new: int = 0
    failed: int = 0
    requests: int = 0
    seconds: float = 0.0
    stopped: bool = False
    date_filter: str = "not needed"  # honoured, ignored, refused
