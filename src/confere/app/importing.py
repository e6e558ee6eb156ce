"""The use case "bring files in"."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from confere.app import learning
from confere.app.verifying import judge_events
from confere.app.workspace import Workspace
from confere.intake.files import ImportResult as ImportResult
from confere.intake.files import Problem as Problem
from confere.intake.files import import_files
from confere.system.jobs import Reporter
from confere.system.stopping import Stop


def import_paths(
    workspace: Workspace, paths: Sequence[Path], *, reporter: Reporter | None = None, stop: Stop | None = None
) -> ImportResult:
    """Import XML files, folders and ZIPs; what cannot be read is kept and told in the result.

    Of files with certificates the authorities are learned that lead to a root of ICP-Brasil.
    """
    with workspace.writing("import") as archive:
        result = import_files(archive, paths, reporter=reporter, stop=stop)
        if result.events:
            judge_events(archive, workspace.home, stop)
        result.authorities = learning.learn_met(workspace.home, result.certificates)
        return result


__all__ = ["ImportResult", "Problem", "import_paths"]
