"""A process in which the kernel grants every lock on a file without taking it, as a bad file system does.

A filter of system calls (seccomp) answers them: Linux alone, and no file system has to be mounted for it.
"""

from __future__ import annotations

from typing import Final

PRELUDE: Final = '''
import ctypes, os, platform, struct, sys

def grant_locks_without_taking_them(kind):
    """`flock`, `fcntl` (ranges of bytes, of the process and of the open file) or `both`; until the process ends."""
    flock, fcntl = {"x86_64": (73, 72), "aarch64": (32, 25)}[platform.machine()]
    number, command = 0, 24  # places in struct seccomp_data: the call, and its second argument
    def line(code, equal, other, value):
        return struct.pack("HBBI", code, equal, other, value)
    load, is_equal, answer = 0x20, 0x15, 0x06
    program = [
        line(load, 0, 0, number),
        line(is_equal, 6, 0, flock if kind != "fcntl" else 0xFFFFFFFF),
        line(is_equal, 0, 4, fcntl if kind != "flock" else 0xFFFFFFFF),
        line(load, 0, 0, command),
        line(is_equal, 3, 0, 6),  # F_SETLK
        line(is_equal, 2, 0, 7),  # F_SETLKW
        line(is_equal, 1, 0, 37),  # F_OFD_SETLK
        line(answer, 0, 0, 0x7FFF0000),  # let it pass
        line(answer, 0, 0, 0x00050000),  # say that it is done
    ]
    code = ctypes.create_string_buffer(b"".join(program))
    class Program(ctypes.Structure):
        _fields_ = [("length", ctypes.c_ushort), ("code", ctypes.c_void_p)]
    libc = ctypes.CDLL(None, use_errno=True)
    assert libc.prctl(38, 1, 0, 0, 0) == 0  # PR_SET_NO_NEW_PRIVS
    assert libc.prctl(22, 2, ctypes.byref(Program(len(program), ctypes.addressof(code))), 0, 0) == 0
'''
"""Source that defines `grant_locks_without_taking_them`, for the beginning of a program."""
