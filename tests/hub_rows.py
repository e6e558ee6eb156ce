"""Every row of the hub's specification with the calls that prove it at both ends: `python -m tests.hub_rows`.

`--only PREFIX` runs rows whose names begin so; `--all-calls` prints every call of a row. Ends with 1 where a row
fails or has no probe.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from tests import own_configuration
from tests.hub.rows.bench import Call, bench
from tests.hub.rows.running import End, Outcome, Result, run
from tests.hub.rows.table import Row, rows
from tests.new_archives import new_archives_are_copies

_MOST_CALLS = 2
_LONGEST = 110  # characters of what was sent, or came back
_BEFORE = 20  # of them before the field that a row is about


def main(arguments: list[str] | None = None) -> int:
    """The exit code."""
    own_configuration.use_temporary()
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--only", default="", metavar="PREFIX", help="only rows whose names begin so")
    parser.add_argument("--all-calls", action="store_true", help="every call of a row, not the last ones alone")
    chosen = parser.parse_args(arguments)
    wanted = [row for row in rows() if row.name.startswith(chosen.only)]
    begun, section, shown = time.monotonic(), "", ""
    results: list[Result] = []
    with tempfile.TemporaryDirectory() as folder, new_archives_are_copies(Path(folder)), bench() as workplace:
        for result in run(workplace, wanted):
            if result.row.section != section:
                section = result.row.section
                print(f"\n== {section}")
            if result.row.name != shown:
                shown = result.row.name
                print(f"{shown}: {result.row.text}")
            print(_line(result, whole=chosen.all_calls), flush=True)
            results.append(result)
    print(_sum(wanted, results, time.monotonic() - begun))
    return 0 if wanted and all(result.is_good for result in results) else 1


def _line(result: Result, *, whole: bool) -> str:
    if result.outcome is Outcome.ONE_END:
        return f"  {result.end:6} one end  {result.why}"
    field = f'"{result.row.subject.rpartition(".")[2]}"'
    about = [call for call in result.calls if field in call.sent or field in call.answer]
    calls = result.calls if whole else (about or result.calls)[-_MOST_CALLS:]
    shown = " · ".join(_shown(call, field) for call in calls)
    if len(calls) < len(result.calls):
        shown += f" (and {len(result.calls) - len(calls)} other calls)"
    if result.outcome is Outcome.OK:
        return f"  {result.end:6} ok       {shown}"
    return f"  {result.end:6} {result.outcome.upper():8} {result.why} [{shown}]"


def _shown(call: Call, field: str) -> str:
    """The call with what it sent and, where that names the field, what came back."""
    sent = f" {_excerpt(call.sent, field)}" if call.sent else ""
    answer = f" {_excerpt(call.answer, field)}" if field in call.answer else ""
    return f"{call.what}{sent} → {call.end}{answer}"


def _excerpt(text: str, field: str) -> str:
    """A text in one line: its beginning, or what stands around the field."""
    plain = " ".join(text.split())
    begin = max(0, plain.find(field) - _BEFORE) if len(plain) > _LONGEST else 0
    end = begin + _LONGEST
    return ("…" if begin else "") + plain[begin:end] + ("…" if end < len(plain) else "")


def _sum(wanted: list[Row], results: list[Result], seconds: float) -> str:
    counts = Counter((result.end, result.outcome) for result in results)
    ends = "; ".join(
        f"{end}: " + ", ".join(f"{counts[end, outcome]} {outcome}" for outcome in Outcome if counts[end, outcome])
        for end in End
    )
    bad = [f"{result.row.name} ({result.end})" for result in results if not result.is_good]
    lines = [f"\n{len(wanted)} rows of the specification in {seconds:.0f} s; {ends}"]
    if bad:
        lines.append("Not proven: " + ", ".join(bad))
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
