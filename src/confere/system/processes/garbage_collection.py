"""When rubbish is looked for: not while a great many small values are made that all stay."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def collecting_later() -> Iterator[None]:
    """Without the collector of circles, which would walk a million living values over and over; within another: no-op.

    What has no circles goes as ever, at once.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
