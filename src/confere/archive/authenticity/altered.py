"""Documents that were changed after signing: of those that failed, the ones whose digest or signature does not match.

A part of "failed" and kept as such; only a letter in the lines of the verdict tells it apart (`verdict_letters`).
"""

from __future__ import annotations

from typing import Final

from confere.archive.authenticity.verdict_codes import ALTERED

# A voided range stands behind the documents of its content, and its verdict counts by itself.
_AT: Final = (
    "(v.kind = 0 AND {d}.type != 'voiding' AND v.position = {d}.position OR v.kind = 2 AND {d}.type = 'voiding' AND"
    " v.position = {d}.position - (SELECT count(*) FROM verdict w WHERE w.content_id = v.content_id AND w.kind = 0))"
)
_IS: Final = f"v.kind IN (0, 2) AND v.result = 2 AND instr(v.lines, '{ALTERED}')"
ROW: Final = (
    f"d.verdict = 2 AND EXISTS (SELECT 1 FROM verdict v WHERE v.content_id = d.content_id AND {_IS} AND"
    f" {_AT.format(d='d')})"
)
"""Whether the document `d` of a row is one; looked up only for what failed."""
DOCUMENTS: Final = (
    f"SELECT x.id FROM verdict v CROSS JOIN document x ON x.content_id = v.content_id WHERE {_IS} AND"
    f" {_AT.format(d='x')} AND x.verdict = 2"
)
"""The numbers of all of them, by the index of what failed."""
