"""The text of a file that holds a secret: read only where nobody else on the machine can read it."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from confere.errors import EnvironmentFault, SecretUnavailable, message
from confere.system.files.atomic_file import storage_fault
from confere.system.files.regular_files import open_regular

_MOST = 64 * 1024  # bytes worth reading


def secret_text(path: Path, *, private: bool = True) -> str:
    """What stands in the file, without blanks around it.

    Raises `SecretUnavailable` for a file that cannot be read or, with `private`, that other users can read.
    """
    try:
        with open_regular(path) as file:
            # Asked of the open file, so that nobody can change it between the question and the reading.
            mode = os.fstat(file.fileno()).st_mode
            if private and sys.platform != "win32" and mode & 0o077:
                raise SecretUnavailable(
                    message("Other users of this machine can read the file {path}.", path=str(path)),
                    message("Close it with: chmod 600 {path}", path=str(path)),
                )
            data = file.read(_MOST)
    except (OSError, EnvironmentFault) as error:
        fault = storage_fault(error, path) if isinstance(error, OSError) else error
        raise SecretUnavailable(
            message("The file with the secret cannot be read. {why}", why=fault.what), fault.remedy
        ) from error
    return data.decode("utf-8-sig", errors="replace").strip()
