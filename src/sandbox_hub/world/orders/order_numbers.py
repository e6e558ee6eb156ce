"""The marketplaces' own order numbers: each marketplace writes them its way, and every one leads back to the order."""

from __future__ import annotations

_AZUL_BASE = 2_000_000_000_000
_AZUL_STEP = 37


def order_code(marketplace: int, order_id: int) -> str:
    """The order's number at marketplace number `marketplace`; at most 15 characters."""
    if marketplace == 0:
        return str(_AZUL_BASE + order_id * _AZUL_STEP)
    if marketplace == 1:
        return f"LV-{order_id:09d}"
    return f"{order_id % 97:02d}-{order_id}-FD"


def order_id_of(code: str) -> int | None:
    """The only order id that `code` can belong to, if it has the form of a code at all."""
    digits = code.removeprefix("LV-") if code.startswith("LV-") else code
    if code.endswith("-FD"):
        digits = code[3:-3]
    if not (digits.isascii() and digits.isdigit()):
        return None
    number = int(digits)
    candidate = (number - _AZUL_BASE) // _AZUL_STEP if digits == code else number
    forms = (order_code(marketplace, candidate) for marketplace in range(3))
    return candidate if code in forms else None
