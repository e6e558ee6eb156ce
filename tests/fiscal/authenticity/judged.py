"""Short ways to a verdict, for tests."""

from __future__ import annotations

from confere.fiscal.authenticity.certificates.trust_chain import Trust
from confere.fiscal.authenticity.judge import World, judge_paper
from confere.fiscal.authenticity.verdict import Check, CheckLine, Result


def one(data: bytes | str, trust: Trust, world: World = World.SANDBOX) -> dict[Check, CheckLine]:
    (judged,) = judge_paper(data if isinstance(data, bytes) else data.encode(), trust, world=world)
    assert [line.check for line in judged.verdict.lines] == list(Check)
    return {line.check: line for line in judged.verdict.lines}


def told(line: CheckLine) -> tuple[Result, str]:
    return line.result, str(line.why or "")


def inside(text: str) -> str:
    return text[text.index("?>") + 2 :]
