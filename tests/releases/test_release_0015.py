"""An archive of format 0015 shows today what the program of its time showed, its audit trail chained from then on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

from tests.cli.json_recorder import answer_of, neutral_environment
from tests.releases.make import shown_file, unpacked
from tests.releases.test_release_0011 import assert_shown, bring_up_to_date

REVISION: Final = "0015"


def test_it_is_shown_as_it_was(tmp_path: Path) -> None:
    shown = json.loads(shown_file(REVISION).read_text(encoding="utf-8"))
    with neutral_environment():
        path = unpacked(REVISION, tmp_path / "home")
        bring_up_to_date(path)
        assert_shown(path.parent, "pt_BR", shown)
        facts = json.loads(answer_of("doctor", "--json", "--home", str(path.parent), "--verify")[1])["facts"]
    assert facts["audit_chain"]["broken"] == []
    assert facts["audit_chain"]["lines"] >= len(shown["audit trail"])
