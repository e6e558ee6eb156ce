"""What is said of a job that made, counted or tried backups."""

from __future__ import annotations

from confere.desktop.jobs.backup_results import BackupJobResult
from confere.desktop.widgets.notices import BAD, GOOD, WARN
from confere.system import formatting
from confere.system.messages import t


def backed_up(result: BackupJobResult) -> tuple[str, str]:
    """The kind of notice and its sentence."""
    tried = result.drill
    if tried.problems:
        return BAD, " ".join((t("The trial restore of the backup {path} failed:", path=tried.file), *tried.problems))
    if tried.passed:
        count = formatting.count(tried.documents)
        return GOOD, t(
            "The backup {path} was restored for a trial and passed. Documents: {count}.", path=tried.file, count=count
        )
    text = " ".join(
        (
            *(t("A checked copy of the archive is in {path}.", path=path) for path in result.written),
            *result.notes,
            result.status.summary,
        )
    )
    problems = [*result.problems, *result.status.alarms]
    return (WARN, f"{text} {' '.join(problems)}") if problems else (GOOD, text)
