"""Does an accountant's tasks in the real window by keys and mouse, at four sizes: `python -m tests.walk`.

Each task is held against the archive and the files it wrote. On the whole walk nothing moves when a message comes,
every target lies wholly on the screen, nothing is logged as wrong, and Ctrl+Q ends the program well.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from confere.system.messages import set_language
from tests import own_configuration
from tests.walk.stage import Size, demo_home
from tests.walk.tasks import TASKS, chosen
from tests.walk.walker import Walked, walk

SIZES = ("1280x720", "1366x768", "1920x1080", "1920x1080@2")


def main() -> int:
    """Print the table; 1 where something was wrong at a size."""
    own_configuration.use_temporary()
    parser = argparse.ArgumentParser(prog="python -m tests.walk", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--size", action="append", help="WxH, or WxH@2 for 200 %%; several may be named")
    parser.add_argument("--task", action="append", default=[], help="a number of the table; several may be named")
    parser.add_argument("--pictures", type=Path, help="folder for a picture after each task")
    parser.add_argument("--archive", type=Path, help="a data folder as the demonstration leaves it, else one is made")
    parser.add_argument("--language", default="pt_BR")
    given = parser.parse_args()
    set_language(given.language)
    if given.pictures is not None:
        given.pictures.mkdir(parents=True, exist_ok=True)
    try:
        tasks = chosen(given.task)
    except KeyError as unknown:
        parser.error(f"there is no task {unknown}; there are {', '.join(task.number for task in TASKS)}")
    walks = []
    with tempfile.TemporaryDirectory() as scratch:
        archive = given.archive or demo_home(Path(scratch) / "demo")
        for text in given.size or SIZES:
            size = Size.of(text)
            folder = Path(scratch) / str(size)
            folder.mkdir()
            print(f"\n{size}", flush=True)
            walks.append(walk(folder, archive, size, tasks, given.pictures, _print))
            for problem in walks[-1].problems:
                print(f"   !!  {problem}", flush=True)
    well = all(found.is_well for found in walks)
    print("\nall well" if well else "\nnot well")
    return 0 if well else 1


def _print(walked: Walked) -> None:
    """A line of the table."""
    line = f"  {walked.task.number:>3}  {walked.task.title:<28} {walked.steps:>4} steps  {walked.problem or 'ok'}"
    print(line, flush=True)


if __name__ == "__main__":
    sys.exit(main())
