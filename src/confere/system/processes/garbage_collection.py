"""When rubbish is looked for: not while a great many small values are made that all stay, nor at the very end."""

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


def leave_garbage() -> None:
    """Let this process end without its last collections: they walk all that is alive, for the system takes all of it.

    That is a third of a second of processor where much was loaded. For right before the end, with every file closed.
    """
    gc.disable()
    gc.freeze()
