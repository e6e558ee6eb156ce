"""What the house measures: `python -m tests.house.measure [--rev REV] [--before REV] [--json]`.

Of `src/` as it lies here, of another revision (`--rev`), or of two side by side (`--before`), taken from git into a
temporary folder.
"""

from __future__ import annotations

import argparse
import io
import json
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

from tests.conftest import ROOT
from tests.house.measures.circles import circles, folder_circles, hidden_circles
from tests.house.measures.documented import documented, rules, vague_variables
from tests.house.measures.likenesses import REASONS, names_of
from tests.house.measures.sizes import folder_widths, largest, lines, lines_of_code
from tests.house.measures.source import Tree, load
from tests.house.measures.sql import Reading, positional_reads, sql_literals
from tests.house.measures.values import ValueKind, shared_class_names, twins, value_classes

_MANY = 5  # of a list that is shown in part


class Measured(NamedTuple):
    """The `figures` of a tree in the order of the table, and the lists behind them."""

    figures: dict[str, str]
    lists: dict[str, list[str]]


def measure(tree: Tree) -> Measured:
    """Every measure of a source tree."""
    values, pairs, names, obeyed = value_classes(tree), twins(tree), shared_class_names(tree), rules(tree)
    tight, hidden, folders = circles(tree), hidden_circles(tree), folder_circles(tree)
    reads, literals, vague = positional_reads(tree), sql_literals(tree), vague_variables(tree)
    widths, longest = folder_widths(tree), largest(tree)
    unexplained = [pair for pair in pairs if names_of(pair) not in REASONS]
    figures: dict[str, str] = {
        "modules": _number(len(tree)),
        "lines": _number(sum(map(lines, tree))),
        "lines of code": _number(sum(map(lines_of_code, tree))),
        "largest module, lines": _number(longest[0][1] if longest else 0),
        "folders": _number(len(widths)),
        "modules in the fullest folder": _number(widths[0][1] if widths else 0),
    }
    for kind in ValueKind:
        of_kind = [value for value in values if value.kind is kind]
        figures[_plural(kind)] = _number(len(of_kind))
        figures[f"fields of {_plural(kind)}"] = _number(sum(len(value.fields) for value in of_kind))
    figures |= {
        "value twins (5 fields)": _number(len(pairs)),
        "… for which no reason is given": _number(len(unexplained)),
        "class names of two meanings": _number(len(names)),
        "circles of modules": _number(len(tight)),
        "… closed in functions or for types": _number(len(hidden)),
        "circles of folders": _number(len(folders)),
        "rows read by position": _number(len(reads)),
    }
    for how in Reading:
        figures[f"… by {how.value}"] = _number(sum(read.how is how for read in reads))
    figures |= {
        "… outside archive": _number(sum(not read.is_in_archive for read in reads)),
        "SQL literals outside archive": _number(len(literals)),
        "rules with a source": f"{sum(obeyed.values())} of {len(obeyed)}",
    }
    for kind_of_thing, plural in (("function", "functions"), ("class", "classes"), ("method", "methods")):
        having, count = documented(tree, kind_of_thing)
        figures[f"public {plural} with docstring"] = f"{having / max(1, count):.1%} of {_number(count)}"
    figures["vague variables (found, entry …)"] = _number(vague.total())
    lists = {
        "fullest folders": [f"{width} {name}" for name, width in widths[:_MANY]],
        "largest modules": [f"{count} {name}" for name, count in longest[:_MANY]],
        "circles of modules": [" ".join(circle) for circle in tight],
        "circles closed in functions or for types": [" ".join(circle) for circle in hidden],
        "circles of folders": [" ".join(circle) for circle in folders],
        "value twins": [
            f"{pair.one} = {pair.other}: {', '.join(pair.fields)} ({REASONS.get(names_of(pair), 'no reason is given')})"
            for pair in pairs
        ],
        "class names of two meanings": [f"{name}: {', '.join(modules)}" for name, modules in names.items()],
        "rows read by position": [f"{read.place.module}:{read.place.line} {read.how.value}" for read in reads],
        "SQL literals outside archive": [f"{place.module}:{place.line}" for place in literals],
        "rules without a source": [name for name, has_source in obeyed.items() if not has_source],
        "vague variables": [f"{count} {name}" for name, count in vague.most_common()],
    }
    return Measured(figures, lists)


def of_revision(revision: str, root: Path = ROOT) -> Tree:
    """The source tree of a git revision. Raises `CalledProcessError` where git does not know it."""
    packed = subprocess.run(["git", "archive", revision, "src"], cwd=root, capture_output=True, check=True).stdout
    with tempfile.TemporaryDirectory() as folder, tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        archive.extractall(folder, filter="data")
        return load(Path(folder) / "src")


def table(columns: dict[str, Measured]) -> str:
    """The figures of one tree or more side by side."""
    figures = [measured.figures for measured in columns.values()]
    width = max(len(name) for name in figures[0])
    cells = max(len(cell) for column, shown in zip(columns, figures, strict=True) for cell in (column, *shown.values()))
    rows = [("", *columns), *((name, *(shown[name] for shown in figures)) for name in figures[0])]
    return "\n".join("  ".join([name.ljust(width), *(cell.rjust(cells) for cell in row)]) for name, *row in rows)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.house.measure", description=__doc__)
    parser.add_argument("--rev", help="measure this git revision instead of the files here")
    parser.add_argument("--before", metavar="REV", help="show this git revision beside it")
    parser.add_argument("--json", action="store_true", help="figures and lists as JSON")
    parser.add_argument("--lists", action="store_true", help="every list in full, not its first lines")
    given = parser.parse_args()
    columns: dict[str, Measured] = {}
    if given.before:
        columns[given.before] = measure(of_revision(given.before))
    columns[given.rev or "here"] = measure(of_revision(given.rev) if given.rev else load(ROOT / "src"))
    if given.json:
        shown: dict[str, Any] = {name: measured._asdict() for name, measured in columns.items()}
        print(json.dumps(shown, ensure_ascii=False, indent=1))
        return 0
    print(table(columns))
    for title, entries in list(columns.values())[-1].lists.items():
        if entries:
            print(f"\n{title} ({len(entries)})")
            print("\n".join(f"  {line}" for line in (entries if given.lists else entries[: 4 * _MANY])))
    return 0


def _number(count: int) -> str:
    return f"{count:,}"


def _plural(kind: ValueKind) -> str:
    return {ValueKind.DATACLASS: "dataclasses", ValueKind.NAMED_TUPLE: "named tuples"}[kind]


if __name__ == "__main__":
    sys.exit(main())
