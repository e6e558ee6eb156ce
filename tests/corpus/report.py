"""The report on a corpus: what was read, who agrees with it, and every disagreement with who is right about it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from confere.fiscal.authenticity.verdict import Check, Result
from tests.corpus import chains
from tests.corpus.known import Known, explanation
from tests.corpus.manifest import Compared
from tests.corpus.survey import Bound, Examined
from tests.corpus.tables import paragraph, short, table


@dataclass(frozen=True, slots=True)
class Disagreement:
    """One field of one file on which `opinion` and the product differ; `known` is None where nobody looked into it."""

    file: str
    opinion: str
    compared: Compared
    known: Known | None


def disagreements(files: Iterable[Examined]) -> list[Disagreement]:
    """All of them, in the order of the files."""
    return [
        Disagreement(file.name, opinion, compared, explanation(opinion, file.name, compared.field, compared.theirs))
        for file in files
        for opinion, comparisons in file.opinions.items()
        for compared in comparisons
        if not compared.equal
    ]


def lines(files: Sequence[Examined]) -> Iterator[str]:
    """The report, paragraph by paragraph."""
    differing = disagreements(files)
    yield by_kind(files, differing)
    yield from refusals(files)
    yield from told(differing)
    yield from by_field("manifest", files)
    yield from by_line(files)
    yield from chains.by_year(chain for file in files for chain in file.chains)
    yield from by_binding(files)


def by_kind(files: Sequence[Examined], differing: Sequence[Disagreement]) -> str:
    """One line per kind of file: what was found in it, and how much of it other opinions confirm."""
    kinds: dict[str, list[Examined]] = {}
    for file in files:
        kinds.setdefault(file.kind, []).append(file)
    open_questions = Counter(entry.file for entry in differing if entry.known is None)
    opinions = list(dict.fromkeys(opinion for file in files for opinion in file.opinions))
    rows = [row(kind, found, opinions, open_questions) for kind, found in sorted(kinds.items())]
    rows.append(row("all", files, opinions, open_questions))
    head = ["kind", "files", "documents", "events", "voidings"]
    for opinion in opinions:
        head += [opinion, "equal"]
    return table([*head, "unexplained"], rows)


def row(kind: str, files: Sequence[Examined], opinions: Sequence[str], open_questions: Counter[str]) -> list[object]:
    papers = [file.paper for file in files if file.paper is not None]
    cells: list[object] = [
        kind,
        len(files),
        sum(len(paper.documents) for paper in papers),
        sum(len(paper.events) for paper in papers),
        sum(len(paper.voidings) for paper in papers),
    ]
    for opinion in opinions:
        compared = [entry for file in files for entry in file.opinions.get(opinion, ())]
        cells += [len(compared), sum(entry.equal for entry in compared)]
    return [*cells, sum(open_questions[file.name] for file in files)]


def refusals(files: Sequence[Examined]) -> Iterator[str]:
    """What the reader would not read, with its own sentence."""
    refused = [f"  {file.name}: {file.refusal}" for file in files if file.refusal is not None]
    raised = [f"  {file.name}: {file.raised}" for file in files if file.raised is not None]
    if raised:
        yield "\n".join([f"RAISED: {len(raised)}", *raised])
    if refused:
        yield "\n".join([f"refused by the reader: {len(refused)}", *refused])


def told(differing: Sequence[Disagreement]) -> Iterator[str]:
    """Every disagreement with its verdict; those about which one thing is to be said stand together."""
    groups: dict[tuple[str, str, str], list[Disagreement]] = {}
    for entry in differing:
        right = entry.known.right if entry.known else "UNEXPLAINED"
        why = entry.known.why if entry.known else ""
        groups.setdefault((entry.opinion, right, why), []).append(entry)
    yield f"disagreements: {len(differing)}, unexplained: {sum(entry.known is None for entry in differing)}"
    for (opinion, right, why), entries in groups.items():
        said = [f"  {opinion}: {right}" + (f" ({len(entries)})" if len(entries) > 1 else "")]
        if why:
            said.append(paragraph(why, "    "))
        shown = entries if not why else entries[:MOST_SHOWN]
        for entry in shown:
            said.append(f"    - {short(entry.file, 100)}")
            values = entry.compared
            said.append(f"      {values.field}: {opinion} {short(values.theirs)!r}, ours {short(values.ours)!r}")
        if len(shown) < len(entries):
            said.append(f"    - and {len(entries) - len(shown)} more of the same")
        yield "\n".join(said)


MOST_SHOWN = 4


def by_field(opinion: str, files: Iterable[Examined]) -> Iterator[str]:
    """The fields of one opinion with the number of values compared, and of those that differ."""
    tally = Tally()
    for file in files:
        tally.add(file.opinions.get(opinion, ()))
    if tally.compared:
        names = [tally.word(field, field) for field in tally.compared]
        yield f"fields compared with {opinion}:\n" + paragraph(" · ".join(names), "  ")


def by_line(files: Sequence[Examined]) -> Iterator[str]:
    """What the verdict says, line by line, and why where it could not be checked."""
    judged = [entry.verdict for file in files for entry in file.judged]
    if not judged:
        return
    rows = []
    for check in Check:
        results = Counter(verdict.line(check).result for verdict in judged)
        rows.append([check.value, *(results[result] for result in Result)])
    together = Counter(verdict.result for verdict in judged)
    rows.append(["the paper", *(together[result] for result in Result)])
    head = ["verdict's line", *(result.value.replace("_", " ") for result in Result)]
    yield f"papers judged as a production account's: {len(judged)}\n" + table(head, rows)
    reasons = Counter(
        (line.check.value, str(line.why.id))
        for verdict in judged
        for line in verdict.lines
        if line.why is not None and line.result in (Result.FAILED, Result.UNCHECKED)
    )
    told = [f"  {count:4} x {check}: {why}" for (check, why), count in sorted(reasons.items())]
    yield "\n".join(["why lines failed or could not be checked:", *told])
    silent = Counter(reason for file in files for reason in file.silent)
    if silent:
        yield "\n".join(["without xmlsec's opinion:", *(f"  {count} x {why}" for why, count in silent.items())])


def by_binding(files: Sequence[Examined]) -> Iterator[str]:
    """What was laid beside generated classes: documents and values by kind and layout, then every field by its group.

    A field is told as the tag and, behind `=`, the product's name for it; the product's `fields` have the tag's own.
    """
    layouts: dict[tuple[str, str], list[Bound]] = {}
    unbound = Counter[str]()
    for file in files:
        unbound.update(file.unbound)
        for bound in file.bound:
            layouts.setdefault((bound.kind, bound.layout or "none"), []).append(bound)
    if not layouts:
        return
    rows = []
    groups: dict[str, Tally] = {}
    for (kind, layout), found in sorted(layouts.items()):
        values = [entry for bound in found for entry in bound.values.compared]
        fields = {entry.field for entry in values}
        rows.append([f"{kind} {layout}", len(found), len(fields), len(values), sum(entry.equal for entry in values)])
        for entry in values:
            path = entry.field.partition(" = ")[0]
            group = f"{kind} {path.rpartition('/')[0]}".rstrip()
            groups.setdefault(group, Tally()).add([entry])
    yield "beside generated classes:\n" + table(["document", "documents", "fields", "values", "equal"], rows)
    if unbound:
        yield "\n".join(["without a class:", *(f"  {count} x {why}" for why, count in unbound.items())])
    alone = Counter(field for file in files for bound in file.bound for field in bound.values.alone)
    if alone:
        words = " · ".join(f"{field} {count}" for field, count in alone.items())
        yield "what the schemas of the classes do not know, read by the product alone:\n" + paragraph(words, "  ")
    told = ["fields equal in both, with the number of values:"]
    for group, tally in sorted(groups.items()):
        told.append(f"  {group}")
        told.append(paragraph(" · ".join(tally.words()), "    "))
    yield "\n".join(told)


class Tally:
    """How many values of each field were compared, and were equal."""

    def __init__(self) -> None:
        self.compared = Counter[str]()
        self.equal = Counter[str]()

    def add(self, entries: Iterable[Compared]) -> None:
        for entry in entries:
            self.compared[entry.field] += 1
            self.equal[entry.field] += entry.equal

    def word(self, field: str, shown: str) -> str:
        compared, equal = self.compared[field], self.equal[field]
        return f"{shown} {compared}" if compared == equal else f"{shown} {equal} of {compared}"

    def words(self) -> Iterator[str]:
        """Tags with the product's names for them and counts; names that were compared as often stand together."""
        together: dict[tuple[str, int, int], list[str]] = {}
        for field, compared in self.compared.items():
            path, _, name = field.partition(" = ")
            together.setdefault((path, compared, self.equal[field]), []).append(name)
        for (path, compared, equal), names in together.items():
            count = str(compared) if compared == equal else f"{equal} of {compared}"
            yield f"{path.rpartition('/')[2]}={'+'.join(names)} {count}"
