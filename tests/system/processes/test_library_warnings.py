"""Quiet warnings: none comes through, in two threads at once neither."""

from __future__ import annotations

import threading
import warnings

import pytest

from confere.system.processes.library_warnings import quiet_warnings


def test_a_warning_is_heard_again_afterwards() -> None:
    with quiet_warnings():
        warnings.warn("odd", UserWarning, stacklevel=1)
    with pytest.raises(UserWarning):
        warnings.warn("odd", UserWarning, stacklevel=1)


def test_one_thread_that_leaves_does_not_end_the_quiet_of_another() -> None:
    inside, left = threading.Event(), threading.Event()
    heard: list[Warning] = []

    def work() -> None:
        with quiet_warnings():
            inside.set()
            left.wait()
            try:
                warnings.warn("odd", UserWarning, stacklevel=1)
            except UserWarning as warning:
                heard.append(warning)

    with quiet_warnings():
        thread = threading.Thread(target=work)
        thread.start()
        inside.wait(0.2)  # where the other one does not wait, it comes in now
    left.set()
    thread.join()
    assert heard == []
    with pytest.raises(UserWarning):
        warnings.warn("odd", UserWarning, stacklevel=1)
