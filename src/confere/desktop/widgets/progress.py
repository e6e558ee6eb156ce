"""How far a job is: its words, and a bar that says the same."""

from __future__ import annotations

from PySide6.QtWidgets import QProgressBar

from confere.system import formatting
from confere.system.messages import render, t
from confere.system.progress import Progress

_PARTS = 1000  # a whole number of Qt ends at 2^31, so the bar is told thousandths


def progress_text(progress: Progress) -> str:
    """What, how many, how long still."""
    parts = [render(progress.what)]
    if progress.total is None:
        parts.append(formatting.count(progress.done))
    else:
        done = min(progress.done, progress.total)
        parts.append(t("{done} of {total}", done=formatting.count(done), total=formatting.count(progress.total)))
    if progress.remaining:
        parts.append(t("{time} left", time=formatting.duration(progress.remaining)))
    return " · ".join(parts)


def show_progress(bar: QProgressBar, progress: Progress | None) -> None:
    """Set the bar; where nobody knows how much there is, it only says that something runs."""
    if progress is not None and progress.total:
        bar.setRange(0, _PARTS)
        bar.setValue(min(_PARTS, progress.done * _PARTS // progress.total))
    else:
        bar.setRange(0, 0)
