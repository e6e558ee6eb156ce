"""One small world of the five of `python -m tests.bridge_seeds`."""

from __future__ import annotations

from pathlib import Path

from confere.sales.bridge import BridgeCode
from tests.bridge_seeds import SEEDS, bridged, check


def test_a_world_with_every_anomaly_ties(tmp_path: Path) -> None:
    lines = check(bridged(tmp_path / "home", SEEDS[0], 150))
    assert lines[BridgeCode.MATCHED] > 0
    assert lines[BridgeCode.CANCELLED] > 0
    assert lines[BridgeCode.RETURNS] > 0
