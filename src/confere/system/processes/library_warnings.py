"""Warnings of libraries kept quiet around a piece of work, in one thread at a time."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

_alone = threading.RLock()


@contextmanager
def quiet_warnings() -> Iterator[None]:
    """No warning is shown or raised inside.

    `warnings.catch_warnings` puts back what the whole process had: of two threads in it at once the first that
    leaves would end the quiet of the other. So the second one waits.
    """
    with _alone, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
