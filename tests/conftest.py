"""What every test shares: a neutral language, no data folder of the developer's own, and the real samples."""

from __future__ import annotations

import os

os.environ["CONFERE_LANGUAGE"] = "en"
os.environ.pop("CONFERE_HOME", None)
