"""What every page is given: the archive to read, where to ask it, where errors and notices go, and the jobs."""

from __future__ import annotations

from dataclasses import dataclass

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


@dataclass(frozen=True, slots=True)
class Services:
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
