"""What every page is given: the archive to read, where to ask it, where errors and notices go, and the jobs."""

from __future__ import annotations

from typing import Any, NamedTuple

from confere.app.archive_session import OpenArchive
from confere.app.context import Workspace
from confere.desktop.core.archive_watch import ArchiveWatch
from confere.desktop.core.background_reader import BackgroundReader
from confere.desktop.core.error_reporting import Faults
from confere.desktop.core.scope import WindowScope
from confere.desktop.core.window_memory import Memory
from confere.desktop.jobs.jobs import Jobs
from confere.desktop.theme.theme import Look
from confere.desktop.widgets.notices import Notices
from confere.errors import ConfereError
from confere.system.messages import t
from confere.system.settings import Setting


class Services(NamedTuple):
    """Made once for a window and handed down; nothing reaches for it from elsewhere."""

    workspace: Workspace
    opened: OpenArchive
    reader: BackgroundReader
    watch: ArchiveWatch
    memory: Memory
    look: Look
    faults: Faults
    notices: Notices
    jobs: Jobs
    scope: WindowScope


def refusal(setting: Setting[Any], value: object) -> str:
    """What is wrong with the value, or empty."""
    try:
        setting.accept(value)
    except ValueError:
        return t("{value} cannot be used. {label}.", value=value, label=setting.label)
    return ""


def keep(services: Services, setting: Setting[Any], value: object) -> str:
    """Use and save the value; says what is wrong with it, or nothing. What cannot be saved is told as a fault."""
    wrong = refusal(setting, value)
    if wrong:
        return wrong
    settings = services.workspace.settings
    settings.set(setting, value)
    try:
        settings.save()
    except ConfereError as error:
        services.faults.tell(error)
    return ""
