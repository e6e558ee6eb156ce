"""A file written for the tests beside what it was written to hold, in the columns of a corpus's manifest."""

from __future__ import annotations

from tests.corpus.files import Sample

COLUMNS = (
    *("file", "encoding", "bom", "well_formed", "root", "kind", "model", "version", "tpAmb", "key", "key_dv"),
    *("id_matches_fields", "n_docs", "signature", "cStat", "tpEvento", "event_target", "refs", "emit", "dest"),
    *("total", "items", "dhEmi", "sig_valid", "sig_mode", "digval_match", "flags"),
)


def described(name: str, data: str | bytes, root: str, **held: str) -> Sample:
    """A sample whose row says `root` and what is `held`; columns that nothing is said of are empty."""
    data = data.encode() if isinstance(data, str) else data
    declared = data.lstrip(b"\xef\xbb\xbf \r\n").startswith(b"<?xml")
    row = dict.fromkeys(COLUMNS, "") | {"file": name, "well_formed": "yes", "root": root, "kind": root, "n_docs": "0"}
    row |= {"encoding": "UTF-8" if declared else "(no decl)", "signature": "0"} | held
    if not declared and data[:2] not in (b"\xff\xfe", b"\xfe\xff"):
        row["flags"] = f"{row['flags']} NO_DECL".strip()
    assert len(row) == len(COLUMNS), row.keys() - set(COLUMNS)
    return Sample(name, data, row)
