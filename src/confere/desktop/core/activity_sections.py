"""The parts of the activity page, by the names that other pages ask for them."""

from __future__ import annotations

RUNS = "runs"
FAILED = "failed"
NOT_OFFERED = "not_offered"
UNREADABLE = "unreadable"
NOT_BELIEVED = "not_believed"
TRAIL = "trail"
