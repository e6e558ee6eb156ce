"""The user's settings: each declared once with its type, default, rule and label, kept as JSON."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from string import Formatter
from typing import Generic, NamedTuple, TypeVar, cast

from confere.errors import ConfereError, Message, UsageFault, message
from confere.system import data_folder, language_choice
from confere.system.files import held_files
from confere.system.files.atomic_file import storage_fault, write_text
from confere.system.files.own_files import read_own

T = TypeVar("T")

APPEARANCES = ("system", "light", "dark")


class Setting(NamedTuple, Generic[T]):
    """One thing to set. `accept` gives the value to keep, or raises `ValueError` for what makes no sense.

    `former` is the name that it had in older settings files, empty for none: what stands there holds until it is set.
    """

    key: str
    default: T
    label: Message
    accept: Callable[[object], T]
    former: str = ""


def _language(value: object) -> str:
    if value == "":
        return ""
    code = language_choice.normalise(value) if isinstance(value, str) else None
    if code is None:
        raise ValueError
    return code


def _template(value: object) -> str:
    """A relative path with placeholders in braces; it can never lead out of the folder it is used in."""
    if not isinstance(value, str) or "\\" in value or value.startswith("/"):
        raise ValueError
    if any(part == ".." for part in value.split("/")):
        raise ValueError
    # Braces that do not match raise ValueError too. Inside them a colon says how many digits, as in {number:09}.
    if any(":" in text for text, *_ in Formatter().parse(value)):
        raise ValueError
    return value


def _rate(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ValueError
    if not 0.1 <= value <= 1000:
        raise ValueError
    return float(value)


def _whole(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= 1000:
        raise ValueError
    return value


def _periods(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= 1000:
        raise ValueError
    return value


def _days(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= 365:
        raise ValueError
    return value


def _days_or_never(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= 3660:
        raise ValueError
    return value


def _folder(value: object) -> str:
    """A whole path, so that it means the same wherever Confere is started; empty for none."""
    if not isinstance(value, str) or "\0" in value or (value and not Path(value).expanduser().is_absolute()):
        raise ValueError
    return value


def _appearance(value: object) -> str:
    if value not in APPEARANCES:
        raise ValueError
    return str(value)


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise ValueError
    return value


def _name(value: object) -> str:
    """The name of a person, in one line."""
    if not isinstance(value, str) or len(value) > 80 or not value.isprintable():
        raise ValueError
    return value.strip()


LANGUAGE = Setting("language", "", message("Language (empty: the system's)"), _language)
EXPORT_NAME = Setting(
    "export_name", "", message("Template of exported file names (empty: the standard names)"), _template
)
EXPORT_FOLDER = Setting(
    "export_folder", "", message("Template of exported folders (empty: the standard folders)"), _template
)
EXPORT_EVENT = Setting(
    "export_event", "", message("Template of exported events' file names (empty: the standard names)"), _template
)
EXPORT_VOIDING = Setting(
    "export_voiding", "", message("Template of exported voidings' file names (empty: the standard names)"), _template
)
HUB_RATE = Setting("hub_rate", 10.0, message("Most requests a second to the hub (0.1 to 1000)"), _rate)
BACKUPS_DAILY = Setting(
    "backups_daily", 7, message("Days of which the newest backup is kept (1 to 1000)"), _whole, former="backups_kept"
)
BACKUPS_WEEKLY = Setting("backups_weekly", 5, message("Weeks of which the newest backup is kept (0 to 1000)"), _periods)
BACKUPS_MONTHLY = Setting(
    "backups_monthly", 13, message("Months of which the newest backup is kept (0 to 1000)"), _periods
)
BACKUPS_YEARLY = Setting("backups_yearly", 6, message("Years of which the newest backup is kept (0 to 1000)"), _periods)
EVENT_DAYS = Setting(
    "event_days", 7, message("Days for which the events of a month's documents count as fresh (1 to 365)"), _days
)
BACKUP_FOLDER = Setting(
    "backup_folder", "", message("Second folder for backups, on another disk (empty: none)"), _folder
)
BACKUP_ENCRYPTED = Setting(
    "backup_encrypted", False, message("Encrypt the backups in the second folder (true or false)"), _flag
)
BACKUP_EVERY = Setting("backup_every", 1, message("Days between two backups that are made by themselves"), _days)
BACKUP_ALARM = Setting(
    "backup_alarm", 7, message("Days without a whole backup after which Confere warns (0: never)"), _days_or_never
)
STALE_AFTER = Setting(
    "stale_after_days", 3, message("Days after which an account that nobody has synced is told of (1 to 1000)"), _whole
)
TRAY = Setting(
    "tray", False, message("Tell in the system's tray what an unattended run brought (true or false)"), _flag
)

APPEARANCE = Setting("appearance", "system", message("Appearance of the window (system, light or dark)"), _appearance)
COMPACT_ROWS = Setting("compact_rows", False, message("Rows of lists stand close (true or false)"), _flag)
HIDE_PEOPLE = Setting(
    "hide_people", False, message("Hide the CPF and the name of natural persons in lists (true or false)"), _flag
)
PREPARER = Setting("preparer", "", message("Who prepares the closing of a month (a name)"), _name)
REVIEWER = Setting("reviewer", "", message("Who reviews the closing of a month (a name)"), _name)

AnySetting = Setting[str] | Setting[float] | Setting[int] | Setting[bool]

REGISTRY: tuple[AnySetting, ...] = (
    LANGUAGE,
    EXPORT_NAME,
    EXPORT_FOLDER,
    EXPORT_EVENT,
    EXPORT_VOIDING,
    HUB_RATE,
    BACKUPS_DAILY,
    BACKUPS_WEEKLY,
    BACKUPS_MONTHLY,
    BACKUPS_YEARLY,
    EVENT_DAYS,
    BACKUP_FOLDER,
    BACKUP_ENCRYPTED,
    BACKUP_EVERY,
    BACKUP_ALARM,
    STALE_AFTER,
    TRAY,
    APPEARANCE,
    COMPACT_ROWS,
    HIDE_PEOPLE,
    PREPARER,
    REVIEWER,
)


class Settings:
    """The values of one settings file. What it holds and we do not know (a newer Confere's) is kept.

    `warnings` says which values in the file were no good; their defaults are used and the file is left alone.
    """

    def __init__(self, file: Path) -> None:
        self._file = file
        self._changed: dict[str, object] = {}
        try:
            self._raw, damage = _read(file)
        except ConfereError:  # whoever saves is told why
            self._raw = {}
            damage = message("The settings file {path} cannot be read; the defaults are used.", path=str(file))
        self._values: dict[str, object] = {}
        warnings = [damage] if damage else []
        for setting in REGISTRY:
            self._values[setting.key] = setting.default
            name = setting.key if setting.key in self._raw else setting.former
            if name in self._raw:
                try:
                    self._values[setting.key] = setting.accept(self._raw[name])
                except ValueError:
                    warnings.append(_bad_value(setting, self._raw[name], file))
        self.warnings: tuple[Message, ...] = tuple(warnings)

    def get(self, setting: Setting[T]) -> T:
        """The value in use."""
        return cast(T, self._values[setting.key])

    def set(self, setting: Setting[T], value: object) -> None:
        """Use `value` from now on (`save` keeps it). Raises `UsageFault` when it makes no sense."""
        try:
            accepted = setting.accept(value)
        except ValueError:
            raise UsageFault(
                message("{value} is no good for the setting {name}.", value=str(value), name=setting.key),
                message("{name} means: {label}.", name=setting.key, label=setting.label),
            ) from None
        self._values[setting.key] = self._changed[setting.key] = accepted

    def save(self) -> None:
        """Write what was set here over what the file says now, which another process may have changed since.

        A file that cannot be understood is put aside as `….damaged` first.
        Raises `DiskFull` or `EnvironmentFault`.
        """
        raw, damage = _read(self._file)
        if damage:
            with suppress(OSError):
                held_files.replace(self._file, self._file.with_name(self._file.name + ".damaged"))
        raw.update(self._changed)
        write_text(self._file, json.dumps(raw, indent=2, ensure_ascii=False) + "\n", own=True)
        self._changed.clear()


def _read(file: Path) -> tuple[dict[str, object], Message | None]:
    try:
        raw = json.loads(read_own(file, data_folder.SETTINGS_BYTES).decode("utf-8-sig"))
    except FileNotFoundError:
        return {}, None
    except OSError as error:
        raise storage_fault(error, file) from error
    except (ValueError, RecursionError):
        raw = None
    if isinstance(raw, dict):
        return raw, None
    return {}, message("The settings file {path} cannot be understood; the defaults are used.", path=str(file))


def _bad_value(setting: AnySetting, value: object, file: Path) -> Message:
    return message(
        "The setting {name} in {path} cannot be {value}; {default} is used.",
        name=setting.key,
        path=str(file),
        value=json.dumps(value, ensure_ascii=False)[:80],
        default=json.dumps(setting.default, ensure_ascii=False),
    )
