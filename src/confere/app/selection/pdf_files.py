"""The use case "save the PDF of these": one PDF a document into a folder, and how many of them there are now."""

from __future__ import annotations

from pathlib import Path

from confere.app.context import Workspace
from confere.app.documents import print_pdf
from confere.app.documents.print_pdf import PrintChoice
from confere.app.selection.list_files import ListFiles, NotSaved, SavedSelection, documents_of, rows_of
from confere.system.processes.cancellation import Stop
from confere.system.progress import Reporter


def save(
    workspace: Workspace,
    files: ListFiles,
    target: Path,
    *,
    reporter: Reporter | None = None,
    stop: Stop | None = None,
) -> SavedSelection:
    """Write a PDF of each document of these rows into the folder `target`, as `print_papers` does.

    What is there already is left alone, so a run that was stopped goes on. Raises what `print_papers` raises.
    """
    with workspace.reading() as archive:
        rows = rows_of(archive, files)
        ids = documents_of(archive, files, rows)
    result = print_pdf.print_papers(workspace, PrintChoice(ids=ids, output=target), reporter=reporter, stop=stop)
    failed = tuple(NotSaved(lack.access_key, lack.sha256, lack.why) for lack in result.failed)
    return SavedSelection(target, len(rows), len(ids), len(result.printed), result.already, failed, result.stopped)
