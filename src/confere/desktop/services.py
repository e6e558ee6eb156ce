"""What every page is given: the archive to read, where to ask it, where errors and notices go, and the jobs."""

from __future__ import annotations

from dataclasses import dataclass

from confere.app.open_archive import OpenArchive
from confere.app.workspace import Workspace
from confere.desktop.background import Reader
from confere.desktop.faults import Faults
from confere.desktop.jobs.jobs import Jobs
from confere.desktop.look.theme import Look
from confere.desktop.memory import Memory
from confere.desktop.scope import Scope
from confere.desktop.shell.notices import Notices
from confere.desktop.watch import ArchiveWatch


@dataclass(frozen=True, slots=True)
class Services:
    """Made once for a window and handed down; nothing reaches for it from elsewhere."""

    workspace: Workspace
    opened: OpenArchive
    reader: Reader
    watch: ArchiveWatch
    memory: Memory
    look: Look
    faults: Faults
    notices: Notices
    jobs: Jobs
    scope: Scope
