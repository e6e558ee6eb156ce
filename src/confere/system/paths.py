"""Where everything of one installation lives: the data folder and what stands in it."""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import platformdirs

from confere.errors import ConfereError, DiskFull, EnvironmentFault, Message, message
from confere.system.files import network_share, permissions
from confere.system.files.atomic_file import storage_fault

HOME_VARIABLE = "CONFERE_HOME"
_OWN_BEGINNINGS = ("archive", "authorities.pem", ".confere-", "sandbox-state", "settings.json", "token", "window.")
_OWN_NAMES = frozenset({"backups", "exports", "logs", "schedule.json", "schemas", "stamp-roots", "trust"})


@dataclass(frozen=True, slots=True)
class Home:
    """The data folder. `root` is absolute; nothing exists until `ensure` was called."""

    root: Path

    @property
    def archive(self) -> Path:
        return self.root / "archive.sqlite3"

    @property
    def logs(self) -> Path:
        return self.root / "logs"

    @property
    def settings(self) -> Path:
        return self.root / "settings.json"

    @property
    def schedule(self) -> Path:
        """What the system's scheduler was given to run unattended."""
        return self.root / "schedule.json"

    @property
    def backups(self) -> Path:
        return self.root / "backups"

    @property
    def exports(self) -> Path:
        return self.root / "exports"

    @property
    def authorities(self) -> Path:
        """Certificates of authorities that were learned here."""
        return self.root / "authorities.pem"

    @property
    def stamp_roots(self) -> Path:
        """A folder of certificates (`.pem`), intermediate ones too, by which time stamps are verified."""
        return self.root / "stamp-roots"

    @property
    def sandbox_state(self) -> Path:
        """What was written to the embedded sandbox hub: feed marks, its clock."""
        return self.root / "sandbox-state.json"

    @property
    def contracts(self) -> Path:
        """What hubs publish of how they are asked, an account and a language a file; fetched again when lost."""
        return self.root / "contracts"

    def ensure(self) -> Home:
        """Make the folders and prove that they can be written.

        They and what is Confere's in them are closed to other users of the machine, whatever modes they had; a data
        folder that holds other things too keeps its own mode.

        Raises `EnvironmentFault` or `DiskFull`.
        """
        for folder in (self.root, self.logs, self.backups, self.exports):
            try:
                _make_private(folder)
            except OSError as error:
                raise _refusal(error, folder) from error
        probe = self.root / f".confere-{secrets.token_hex(6)}.tmp"
        try:
            probe.write_bytes(b"confere")
            probe.unlink()
        except OSError as error:
            raise _refusal(error, self.root) from error
        permissions.close(self.root, is_own_name)
        return self


def find_home(explicit: str | Path | None = None, environ: Mapping[str, str] | None = None) -> Home:
    """The data folder: `explicit` (`--home`), else `CONFERE_HOME`, else the system's place for user data."""
    variables = os.environ if environ is None else environ
    chosen = str(explicit) if explicit else variables.get(HOME_VARIABLE, "").strip()
    if not chosen:
        chosen = platformdirs.user_data_dir("Confere", appauthor=False)
    return Home(Path(chosen).expanduser().absolute())


def is_own_name(name: str) -> bool:
    """Whether something in a data folder is Confere's, by its name."""
    return name.startswith(_OWN_BEGINNINGS) or name in _OWN_NAMES


def share_warning(home: Home) -> Message | None:
    """A warning when the data folder is on a network share, else None (also when nobody can tell)."""
    if not network_share.on_network_share(home.root):
        return None
    return message(
        "The data folder {path} is on a network share: two machines that write there can damage the archive. "
        "Keep it on a disk of this machine, and copy backups to the share.",
        path=str(home.root),
    )


def _make_private(folder: Path) -> None:
    """Like `mkdir -p`, but every folder made on the way is private too (`Path.mkdir` leaves parents open)."""
    if folder.is_dir():
        return
    if not folder.parent.is_dir():
        _make_private(folder.parent)
    folder.mkdir(mode=0o700, exist_ok=True)


def _refusal(error: OSError, folder: Path) -> ConfereError:
    fault = storage_fault(error, folder)
    if isinstance(fault, DiskFull):
        return fault
    return EnvironmentFault(
        message("The data folder cannot be used. {why}", why=fault.what),
        message("Let this user write there, or choose another folder with --home or CONFERE_HOME."),
    )
