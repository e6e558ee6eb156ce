"""Hands a PDF to CUPS by its `lp`, as it is: what was drawn as text and lines is printed as text and lines."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from pathlib import Path
from typing import Final

from confere.errors import EnvironmentFault, message
from confere.system.files.atomic_file import storage_fault
from confere.system.schedulers import programs

_LP: Final = "lp"


class PaperSides(StrEnum):
    """How sheets are printed, as CUPS names it."""

    ONE = "one-sided"
    LONG_EDGE = "two-sided-long-edge"
    SHORT_EDGE = "two-sided-short-edge"


@dataclass(frozen=True, slots=True)
class PrintTicket:
    """What a person chose for a print. `printer` is the queue, empty for the default one; `pages` count from 1.

    `paper` is as CUPS names it (`A4`, `Custom.80x200mm`); `fits`: the pages are of another size and are made to fit it.
    `sides` None leaves it to the printer.
    """

    title: str
    printer: str = ""
    copies: int = 1
    pages: tuple[int, ...] = ()
    paper: str = ""
    sides: PaperSides | None = None
    is_collated: bool = True
    is_grey: bool = False
    fits: bool = False


def is_there() -> bool:
    """Whether this system prints by CUPS."""
    return sys.platform != "win32" and shutil.which(_LP) is not None


def send(pdf: bytes, ticket: PrintTicket) -> bool:
    """Hand it over; `lp` ends when the spooler has its own copy. False where it was refused.

    Raises `EnvironmentFault` where nobody can tell, since `lp` did not end: it may be printed yet.
    """
    try:
        descriptor, name = tempfile.mkstemp(prefix="confere-print-", suffix=".pdf")  # nobody else's to read
        with os.fdopen(descriptor, "wb") as file:
            file.write(pdf)
    except OSError as error:
        raise storage_fault(error, Path(tempfile.gettempdir())) from error
    try:
        done = programs.call(_LP, *arguments(ticket), name)
    finally:
        Path(name).unlink(missing_ok=True)
    if done is None:
        raise EnvironmentFault(
            message("The system's spooler does not answer."),
            message("Look at the printer in the system's settings, or save the PDF and print it from there."),
        )
    return done.code == 0


def arguments(ticket: PrintTicket) -> tuple[str, ...]:
    """The options of `lp`, without the file."""
    found = ["-t", ticket.title]
    if ticket.printer:
        found += ["-d", ticket.printer]
    if ticket.copies > 1:
        found += ["-n", str(ticket.copies)]
    if ticket.pages:
        found += ["-P", ranges(ticket.pages)]
    options = {
        "media": ticket.paper,
        "sides": ticket.sides or "",
        "collate": "" if ticket.copies == 1 else "true" if ticket.is_collated else "false",
        "print-color-mode": "monochrome" if ticket.is_grey else "",
        # Older queues know the first, newer ones the second.
        "fit-to-page": "true" if ticket.fits else "",
        "print-scaling": "fit" if ticket.fits else "",
    }
    for name, value in options.items():
        if value:
            found += ["-o", f"{name}={value}"]
    return tuple(found)


def ranges(pages: Iterable[int]) -> str:
    """Page numbers as `lp -P` takes them: `1-3,5`."""
    wanted = sorted(set(pages))
    starts = [page for before, page in pairwise([-1, *wanted]) if page != before + 1]
    ends = [page for page, after in pairwise([*wanted, wanted[-1] + 2]) if after != page + 1] if wanted else []
    return ",".join(f"{one}" if one == last else f"{one}-{last}" for one, last in zip(starts, ends, strict=True))
