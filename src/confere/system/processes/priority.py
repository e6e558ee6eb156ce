"""Lets a long job in the background give way to whatever a person does in the foreground."""

from __future__ import annotations

import os
import sys

_NICENESS = 5  # POSIX: 0 is usual, 19 the most considerate

if sys.platform == "win32":
    import ctypes
    from ctypes import wintypes

    _BELOW_NORMAL = 0x00004000

    def give_way() -> None:
        """Run this process, and what it starts, below the usual priority; nothing where the system refuses."""
        kernel = ctypes.WinDLL("kernel32")
        kernel.GetCurrentProcess.restype = wintypes.HANDLE
        kernel.SetPriorityClass.argtypes = (wintypes.HANDLE, wintypes.DWORD)
        kernel.SetPriorityClass(kernel.GetCurrentProcess(), _BELOW_NORMAL)

else:

    def give_way() -> None:
        """Run this process, and what it starts, below the usual priority; nothing where the system refuses."""
        try:
            if os.getpriority(os.PRIO_PROCESS, 0) < _NICENESS:
                os.setpriority(os.PRIO_PROCESS, 0, _NICENESS)
        except OSError:
            return
