"""How tests ask a hub on loopback: past any proxy, without loading the world's certificates, and with patience."""

from __future__ import annotations

from typing import Any

# To load the certificates takes ten times as long as to ask; a machine under load answers after more than httpx's 5 s.
LOOPBACK: dict[str, Any] = {"trust_env": False, "verify": False, "timeout": 60.0}
