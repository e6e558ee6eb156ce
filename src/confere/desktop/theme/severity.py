"""How severe a finding is, as a drawing and the role of its colour: shapes tell them apart where colours do not."""

from __future__ import annotations

from typing import Final

SEVERITY_MARKS: Final = {"high": ("error", "bad"), "medium": ("warning", "warn"), "low": ("info", "info")}
"""By `confere.app.reconciliation.values.Severity`, or its code."""
