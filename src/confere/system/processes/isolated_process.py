"""One piece of work in a process of its own, with a bound on memory and time: what ends that process is an answer."""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from enum import Enum, auto
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Final, TypeVar

from confere.system.processes.own_commands import safe_environment
from confere.system.processes.worker_pool import serve

Task = TypeVar("Task")
Answer = TypeVar("Answer")

MEMORY: Final = 384 * 1024 * 1024
"""Bytes that a piece of work may take beside what the process has when it begins."""
SECONDS: Final = 120.0
_LOOK: Final = 0.25
_USUAL: Final = 512 * 1024 * 1024  # address space of a process that has only begun, where the system does not tell


class End(Enum):
    """How a process ended without an answer."""

    KILLED = auto()  # by a crash, or from outside: by the system, for want of memory, or by a person
    MEMORY = auto()
    TIME = auto()


class Ended(Exception):
    """The process ended before it had an answer: it crashed, or took more memory or time than it may."""

    def __init__(self, how: End) -> None:
        super().__init__(how)
        self.how = how


def apart(
    do: Callable[[Task], Answer],
    task: Task,
    *,
    memory: int = MEMORY,
    seconds: float = SECONDS,
    check: Callable[[], object] = bool,
) -> Answer:
    """`do(task)` in another process. `do` is found by its name in a module; task and answer are plain values.

    What `do` raises is raised here. `check` is called now and then and may raise to give up. Raises `Ended`. Not to
    be used in a process of a crew, which may have none of its own.
    """
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=serve, args=(theirs, _bounded, (do, memory)), daemon=True)
    with safe_environment():
        process.start()
    theirs.close()
    try:
        ours.send(task)
        failed, answer = _answer(ours, time.monotonic() + seconds, check)
    except (EOFError, OSError) as error:
        raise Ended(End.KILLED) from error
    finally:
        ours.close()
        process.kill()
        process.join()
        process.close()
    if isinstance(answer, MemoryError):
        raise Ended(End.MEMORY)
    if failed:
        raise answer
    done: Answer = answer
    return done


def apart_or_again(do: Callable[[Task], Answer], task: Task, *, check: Callable[[], object] = bool) -> Answer:
    """As `apart`; where the process is killed it is begun once more, then once with more memory.

    A process may have been killed for another's sake, as the system does where memory is short. One that had too
    little memory is begun again with more at once; one that took too long is not begun again. Raises `Ended` where
    none had an answer.
    """
    killed = 0
    while True:
        try:
            return apart(do, task, memory=MEMORY, check=check)
        except Ended as ended:
            killed += ended.how is End.KILLED
            if ended.how is End.TIME:
                raise
            if ended.how is End.MEMORY or killed > 1:
                break
    return apart(do, task, memory=more_memory(), check=check)


def more_memory() -> int:
    """Bytes for what did not do with `MEMORY`: four times as much, but at most half of what the machine has."""
    most = 4 * MEMORY
    with suppress(OSError, ValueError, AttributeError):  # Windows does not tell it so
        most = min(most, os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2)
    return max(MEMORY, most)


def _answer(pipe: Connection, until: float, check: Callable[[], object]) -> tuple[bool, Any]:
    while not pipe.poll(_LOOK):
        check()
        if time.monotonic() > until:
            raise Ended(End.TIME)
    answer: tuple[bool, Any] = pipe.recv()
    return answer


def _bounded(do: Callable[[Task], Answer], memory: int) -> Callable[[Task], Answer]:
    """What the process does first: bind itself. Where the system offers no bound, the time alone holds."""
    with suppress(OSError, ValueError, ImportError, AttributeError):
        if sys.platform == "win32":
            _bind_job(memory)
        else:
            import resource

            resource.setrlimit(resource.RLIMIT_AS, (_address_space() + memory,) * 2)
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    return do


def _address_space() -> int:
    try:
        return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError):
        return _USUAL


_JOB_MEMORY: Final = 0x100 | 0x2000  # JOB_OBJECT_LIMIT_PROCESS_MEMORY, and the process ends with its job
_EXTENDED_LIMITS: Final = 9


class _JobLimits(ctypes.Structure):
    """Windows' JOBOBJECT_EXTENDED_LIMIT_INFORMATION."""

    _fields_ = (
        ("times", ctypes.c_int64 * 2),
        ("flags", ctypes.c_uint32),
        ("working_set", ctypes.c_size_t * 2),
        ("processes", ctypes.c_uint32),
        ("affinity", ctypes.c_size_t),
        ("classes", ctypes.c_uint32 * 2),
        ("io", ctypes.c_uint64 * 6),
        ("process_memory", ctypes.c_size_t),
        ("job_memory", ctypes.c_size_t),
        ("peaks", ctypes.c_size_t * 2),
    )


def _bind_job(memory: int) -> None:
    """Put this process into a job of its own that lets it have so much memory; the handle is kept open on purpose."""
    kernel = ctypes.WinDLL("kernel32", use_last_error=True)  # type: ignore[attr-defined,unused-ignore]
    kernel.CreateJobObjectW.restype = kernel.GetCurrentProcess.restype = ctypes.c_void_p
    job = ctypes.c_void_p(kernel.CreateJobObjectW(None, None))
    limits = _JobLimits(flags=_JOB_MEMORY, process_memory=_USUAL // 4 + memory)
    kernel.SetInformationJobObject(job, _EXTENDED_LIMITS, ctypes.byref(limits), ctypes.sizeof(limits))
    kernel.AssignProcessToJobObject(job, ctypes.c_void_p(kernel.GetCurrentProcess()))
