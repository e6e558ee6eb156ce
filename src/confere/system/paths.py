"""Where everything of one installation lives: the data folder and what stands in it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from confere.errors import ConfereError, DiskFull, EnvironmentFault, HomeGone, Message, message
from confere.system import data_folder
from confere.system.files import permissions, presence
from confere.system.files.atomic_file import storage_fault
from confere.system.folders import chosen_folder, cloud_folder, network_share
from confere.system.folders.chosen_folder import ChosenFolder

HOME_VARIABLE = "CONFERE_HOME"
_OWN_BEGINNINGS = ("archive", "authorities.pem", ".confere-", "sandbox-state", "settings.json", "token", "window.")


class HomeOrigin(StrEnum):
    """Who said where the data folder is, the strongest first."""

    OPTION = "option"  # `--home`
    VARIABLE = "variable"  # `CONFERE_HOME`
    CHOSEN = "chosen"  # remembered
    USUAL = "usual"  # the system's place for user data


@dataclass(frozen=True, slots=True)
class Home:
    """The data folder. `root` is absolute; nothing exists until `ensure` was called.

    `chosen` is the choice that is remembered, where it is of this very folder, whoever named it; `unknown` is why
    nobody can tell which folder was chosen.
    """

    root: Path
    origin: HomeOrigin = field(default=HomeOrigin.OPTION, compare=False)
    chosen: ChosenFolder | None = field(default=None, compare=False)
    unknown: ConfereError | None = field(default=None, compare=False)

    @property
    def archive(self) -> Path:
        return self.root / data_folder.ARCHIVE

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

    @property
    def is_foreign(self) -> bool:
        """Whether it was named for this time alone, and is neither the chosen nor the usual folder: a stranger may have
        made it, with what its files name."""
        named = self.origin in (HomeOrigin.OPTION, HomeOrigin.VARIABLE)
        return named and self.chosen is None and self.root != chosen_folder.usual_folder().absolute()

    def require(self) -> Home:
        """Raise `HomeGone` where the chosen folder is not there: another one is never made in its place.

        `OwnFileRefused` where a name of ours in it is a link, a pipe or anything else that Confere never makes.
        """
        if self.unknown is not None:
            raise HomeGone(self.unknown.what, self.unknown.remedy) from self.unknown
        data_folder.refuse_odd(self.root)
        chosen = self.chosen
        if chosen is None or chosen.is_marked or presence.is_there(self.archive):
            return self
        if presence.is_folder(self.root):
            what = message("{path} is there, but it is not the data folder that was chosen.", path=str(self.root))
        else:
            what = message("The data folder {path} that was chosen is not there.", path=str(self.root))
        raise HomeGone(
            what,
            message(
                "Connect its disk and try again, or choose another folder with `confere home DIR`, or the usual one"
                " with `confere home --forget`."
            ),
        )

    def ensure(self) -> Home:
        """Make the folders and prove that they can be written.

        They and what is Confere's in them are closed to other users of the machine, whatever modes they had; a data
        folder that holds other things too keeps its own mode.

        Raises `EnvironmentFault` or `DiskFull`.
        """
        self.require()
        for folder in (self.root, self.logs, self.backups, self.exports):
            try:
                _make_private(folder)
            except OSError as error:
                raise _refusal(error, folder) from error
        probe = self.root / f".confere-{os.urandom(6).hex()}.tmp"  # `secrets` loads OpenSSL
        try:
            probe.write_bytes(b"confere")
            probe.unlink()
        except OSError as error:
            raise _refusal(error, self.root) from error
        permissions.close(self.root, is_own_name)
        return self


def find_home(explicit: str | Path | None = None, environ: Mapping[str, str] | None = None) -> Home:
    """The data folder: `explicit` (`--home`), else `CONFERE_HOME`, else the chosen one, else the usual one."""
    variables = os.environ if environ is None else environ
    named, origin = (str(explicit), HomeOrigin.OPTION) if explicit else ("", HomeOrigin.VARIABLE)
    named = named or variables.get(HOME_VARIABLE, "").strip()
    unknown: ConfereError | None = None
    try:
        chosen = chosen_folder.read()
    except EnvironmentFault as error:
        chosen, unknown = None, error
    if named:
        root = Path(named).expanduser().absolute()
        return Home(root, origin, chosen if chosen is not None and chosen.path == root else None)
    if chosen is not None:
        return Home(chosen.path, HomeOrigin.CHOSEN, chosen)
    return Home(chosen_folder.usual_folder().absolute(), HomeOrigin.USUAL, unknown=unknown)


def is_own_name(name: str) -> bool:
    """Whether something in a data folder is Confere's, by its name."""
    return name.startswith(_OWN_BEGINNINGS) or name in data_folder.ENTRIES


def share_warning(home: Home) -> Message | None:
    """A warning when the data folder is on a network share, else None (also when nobody can tell)."""
    if not network_share.on_network_share(home.root):
        return None
    return message(
        "The data folder {path} is on a network share: two machines that write there can damage the archive. "
        "Keep it on a disk of this machine, and copy backups to the share.",
        path=str(home.root),
    )


def cloud_warning(home: Home) -> Message | None:
    """A warning when the data folder is one that a program keeps equal to a cloud's, else None."""
    name = cloud_folder.cloud_of(home.root)
    if name is None:
        return None
    return message(
        "The data folder {path} is in the synced folder {name}: a program that copies the archive while it is written "
        "can damage it. Keep it elsewhere, and copy backups to the synced folder.",
        path=str(home.root),
        name=name,
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
