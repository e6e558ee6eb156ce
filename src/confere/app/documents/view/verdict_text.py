"""The verdict on a paper in words: what each check asks, how it ended, and what all of them amount to."""

from __future__ import annotations

from typing import Final

from confere.app.documents.view.facts import BAD, GOOD, MUTED, PLAIN, STRONG, WARN, Fact, FactLine
from confere.app.labels import labels
from confere.fiscal.authenticity.verdict import NO_GATE, Result, Verdict
from confere.fiscal.authenticity.verdict import CheckLine as Checked
from confere.system import formatting
from confere.system.messages import render, t

RANKS: Final = {
    Result.OK: GOOD,
    Result.FAILED: BAD,
    Result.UNCHECKED: WARN,
    Result.NOT_APPLICABLE: MUTED,
    Result.TEST: WARN,
}


def sentence(verdict: Verdict) -> str:
    """What the lines amount to."""
    asked = [line for line in verdict.lines if line.check not in NO_GATE]
    failed = sum(line.result is Result.FAILED for line in asked)
    unchecked = sum(line.result is Result.UNCHECKED for line in asked)
    if verdict.altered:
        return t("Do not rely on it: it was altered after signing.")
    if verdict.result is Result.TEST:
        return t("A test document, without fiscal value.")
    if failed == 1:
        return t("Do not rely on it: one check failed.")
    if failed:
        return t("Do not rely on it: {count} checks failed.", count=formatting.count(failed))
    if unchecked == 1:
        return t("Nothing speaks against it, but one check could not be made.")
    if unchecked:
        return t("Nothing speaks against it, but {count} checks could not be made.", count=formatting.count(unchecked))
    return t("Authentic: every check that applies holds.")


def facts(verdict: Verdict) -> tuple[Fact, ...]:
    """What it amounts to, then line by line."""
    return (whole(verdict), *(_fact(line) for line in verdict.lines))


def whole(verdict: Verdict) -> Fact:
    """What it amounts to."""
    return Fact("", (FactLine(sentence(verdict), STRONG),), mark=verdict.result)


def rank_of(line: Checked) -> str:
    """The rank of a line's words; what decides nothing is no alarm."""
    if line.result is Result.OK:
        return PLAIN
    return MUTED if line.check in NO_GATE else RANKS[line.result]


def _fact(line: Checked) -> Fact:
    said = labels.check_word(line.check)
    if line.result is not Result.OK:
        said = f"{said}: {labels.result_word(line.word)}"
    lines = [FactLine(said, rank_of(line))]
    if line.why is not None:
        lines.append(FactLine(render(line.why), MUTED))
    if line.check in NO_GATE and line.result is Result.FAILED:
        lines.append(FactLine(t("This alone decides nothing: the official schemas lag behind the law."), MUTED))
    return Fact("", tuple(lines), mark=line.result)
