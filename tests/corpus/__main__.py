"""What the readers make of whole folders of files: `python -m tests.corpus [--folder FOLDER ...]`."""

from __future__ import annotations

import argparse
import errno
import io
import os
import sys
import time
from collections.abc import Sequence

from tests.corpus import report
from tests.corpus.files import PACKAGED, samples
from tests.corpus.judged import court
from tests.corpus.survey import examine


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the report on each corpus; 1 where something raised, or nobody can say who is right about a difference."""
    parser = argparse.ArgumentParser(prog="python -m tests.corpus", description=__doc__)
    parser.add_argument(
        "--folder",
        action="append",
        metavar="FOLDER",
        help="a folder of XML files, with a manifest.tsv or without; may be given several times. Without one, the "
        "samples of the nfelib package are read",
    )
    given = parser.parse_args(arguments)
    open_questions = 0
    for corpus in given.folder or [PACKAGED]:
        started = time.perf_counter()
        try:
            files = [examine(sample, court()) for sample in samples(corpus)]
        except FileNotFoundError as error:
            parser.error(str(error))
        print(f"== {corpus}: files read {len(files)}, seconds {time.perf_counter() - started:.1f}\n")
        for part in report.lines(files):
            print(f"{part}\n")
        open_questions += sum(entry.known is None for entry in report.disagreements(files))
        open_questions += sum(file.raised is not None for file in files)
    return 1 if open_questions else 0


if __name__ == "__main__":
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # papers hold letters that a console may not have
    try:
        code = main()
        sys.stdout.flush()
    except OSError as error:
        if error.errno not in (errno.EPIPE, errno.EINVAL):  # Windows says EINVAL of a pipe without a reader
            raise
        # Who reads went away (`| head`); what is still held back goes nowhere, or Python would complain at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 1
    sys.exit(code)
