"""JSON with decimals written as they are, which the standard encoder cannot do."""

from __future__ import annotations

import json
from decimal import Decimal


def written(value: object) -> str:
    """The JSON text of a value as `json.loads(…, parse_float=Decimal)` gives it."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(name)}: {written(held)}" for name, held in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(written, value)) + "]"
    return f"{value:f}" if isinstance(value, Decimal) else json.dumps(value, ensure_ascii=False)
