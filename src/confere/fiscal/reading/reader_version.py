"""The version of the reader: raised whenever rows of the archive would be read otherwise than before."""

from __future__ import annotations

from typing import Final

READER: Final = 6
"""Contents that an older reader read, or none of ours, are read again by `confere reindex`."""
