"""Many papers at once: in their order, in as many processes as asked for, until somebody stops it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from confere.errors import Message, message
from confere.export.pdf.batch import DrawnPart, Piece, make, work
from confere.export.pdf.pdf_request import DrawnKind, Rendered
from confere.system.messages import set_language
from confere.system.processes.cancellation import Stop
from tests.export.pdf.looked_at import words
from tests.fiscal import made


def piece(number: int) -> Piece:
    key = made.access_key(number=number)
    data = made.nfe_proc(made.note(key, number=str(number)), made.protocol(key)).encode()
    return Piece(data, DrawnPart(0, DrawnKind.DOCUMENT))


@pytest.mark.parametrize("processes", [1, 2])
def test_papers_come_in_their_order_and_a_bad_one_stops_nothing(processes: int) -> None:
    asked: list[Piece | Message] = [
        piece(1),
        Piece(b"<a/>", DrawnPart(0, DrawnKind.DOCUMENT)),
        message("not there"),
        piece(4),
    ]
    found = list(work(asked, processes=processes))
    assert [isinstance(entry, Rendered) for entry in found] == [True, False, False, True]
    assert str(found[2]) == "not there"
    for entry, number in ((found[0], 1), (found[3], 4)):
        assert isinstance(entry, Rendered)
        assert f"NF-e {number}, series 1" in words(entry.pdf)


def test_another_process_speaks_the_same_language() -> None:
    set_language("pt_BR")
    try:
        here = make(piece(1))
        (there,) = work([piece(1)], processes=2)
    finally:
        set_language("en")
    assert isinstance(here, Rendered)
    assert isinstance(there, Rendered)
    assert here.pdf == there.pdf


def test_papers_larger_than_any_pipe_and_reasons_between_them_come_in_their_order() -> None:
    large = b"<a>" + b" " * 1_000_000 + b"</a>"
    asked: list[Piece | Message] = [
        entry
        for number in range(4)
        for entry in (Piece(large, DrawnPart(0, DrawnKind.DOCUMENT)), message("reason {number}", number=number))
    ]
    found = list(work(asked, processes=2))
    assert [str(entry) for entry in found[1::2]] == [f"reason {number}" for number in range(4)]
    assert all(isinstance(entry, Message) for entry in found[::2])


KILLED = """
import os, signal, sys
from confere.errors import message
from confere.export.pdf.pdf_request import DrawnKind
from confere.export.pdf.batch import DrawnPart, Piece, work
from confere.system.processes.cancellation import Stop

if __name__ == "__main__":
    import multiprocessing
    given = work((Piece(b"<a/>", DrawnPart(0, DrawnKind.DOCUMENT)) for _ in range(1000)), processes=2)
    next(given)
    print(*(process.pid for process in multiprocessing.active_children()), flush=True)
    os.kill(os.getpid(), getattr(signal, "SIGKILL", signal.SIGTERM))
"""


def test_nobody_is_left_behind_by_a_kill(tmp_path: Path) -> None:
    script = tmp_path / "killed.py"
    script.write_text(KILLED, encoding="utf-8")
    done = subprocess.run([sys.executable, str(script)], check=False, capture_output=True, text=True, timeout=60)
    pids = [int(word) for word in done.stdout.split()]
    assert len(pids) == 2
    left = [process for process in psutil.process_iter() if process.pid in pids]
    _, left = psutil.wait_procs(left, timeout=30)
    # Where nobody is there to take note of their end they stay in the list.
    assert all(process.status() == psutil.STATUS_ZOMBIE for process in left)


@pytest.mark.parametrize("processes", [1, 2])
def test_what_is_begun_is_finished_and_nothing_more(processes: int) -> None:
    stop = Stop()
    given: list[int] = []

    def pieces() -> Iterator[Piece]:
        for number in range(1, 100):
            given.append(number)
            if number == 3:
                stop.set()
            yield piece(number)

    found = list(work(pieces(), processes=processes, stop=stop))
    assert len(found) == 2
    assert len(given) == 3
