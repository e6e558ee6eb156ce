"""How the tests run a command, and what they look at when it has ended."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tests import own_configuration

own_configuration.use_temporary()
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("CONFERE_")} | {
    "CONFERE_LANGUAGE": "en",
    "PYTHONUTF8": "1",
    "PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring",
    "COLUMNS": "120",
}
# Nothing of Qt can be imported in a child that starts with this.
WITHOUT_QT = """
import sys
class NoQt:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("PySide6", "shiboken6"):
            raise ImportError(name)
sys.meta_path.insert(0, NoQt())
"""


@dataclass(frozen=True)
class Done:
    """How a command ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        """Stdout, which must be one JSON object and nothing else."""
        found = json.loads(self.out)
        assert isinstance(found, dict)
        return found


Call = Callable[..., Done]
