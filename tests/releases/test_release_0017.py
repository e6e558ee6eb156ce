"""An archive of format 0017 shows what the program of its time showed; its closings hash plain texts, and hold."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

from confere.app.context import Workspace
from confere.archive.closing import act_texts, chain_check, closings
from confere.sales.closings import ClosingKind
from tests.cli.json_recorder import answer_of, neutral_environment
from tests.releases.make import shown_file, unpacked
from tests.releases.test_release_0011 import assert_shown, bring_up_to_date

REVISION: Final = "0017"
NAME: Final = "Ana Compradora"  # in the reason of a reopening


def test_it_is_shown_as_it_was_and_its_closings_hold(tmp_path: Path) -> None:
    shown = json.loads(shown_file(REVISION).read_text(encoding="utf-8"))
    with neutral_environment():
        path = unpacked(REVISION, tmp_path / "home")
        bring_up_to_date(path)
        assert_shown(path.parent, "pt_BR", shown)
        facts = json.loads(answer_of("doctor", "--json", "--home", str(path.parent), "--verify")[1])["facts"]
    assert facts["audit_chain"]["broken"] == facts["closing_chain"]["broken"] == []
    assert facts["closing_chain"]["acts"] >= 3
    with Workspace.at(path.parent).writing("test") as archive, archive.writing() as transaction:
        named = act_texts.naming(transaction, [NAME.upper()])
        assert {(place.texts, place.is_fixed) for place in named} == {(("reason",), True)}
        assert act_texts.erase(transaction, [NAME], "(erased)") == act_texts.ErasedTexts(0, frozenset({NAME}))
        act = closings.append(transaction, named[0].company, "2026-09", ClosingKind.REOPEN, reason=f"{NAME} pediu")
        assert act_texts.erase(transaction, [NAME], "(erased)").count == 1
        assert chain_check.verify(transaction).broken == ()
        for column, value in (("reason", "outra"), ("reason_salt", b"salt"), ("reviewer", "Bob")):
            kept = transaction.scalar(f"SELECT {column} FROM closing WHERE id = ?", (act.number,))
            transaction.execute(f"UPDATE closing SET {column} = ? WHERE id = ?", (value, act.number))
            (broken,) = chain_check.verify(transaction).broken
            assert (broken.number, broken.broken) == (act.number, chain_check.ClosingBreak.ACT_EDITED)
            transaction.execute(f"UPDATE closing SET {column} = ? WHERE id = ?", (kept, act.number))
