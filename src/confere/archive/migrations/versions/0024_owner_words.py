"""Searches: each document has in the index of words one for each taxpayer whose it is (`full_text.owner_word`)."""

from __future__ import annotations

from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None

# Of versions that are not shown everybody whom they name: one of them may be shown later. In the order of the
# documents, as the index is written fastest.
FILL = """
    INSERT INTO search (rowid, words)
    SELECT document_id, group_concat(word, ' ') FROM (
        SELECT document_id, printf('%s%03x', char(0xe000), CAST(substr(tax_id, 1, 8) AS INTEGER) % 4093) AS word
        FROM (
            SELECT document_id, tax_id FROM belonging
            UNION ALL
            SELECT p.document_id, t.tax_id FROM document d CROSS JOIN party p ON p.document_id = d.id
            CROSS JOIN taxpayer t ON t.id = p.taxpayer_id WHERE d.is_current = 0 AND t.tax_id IS NOT NULL
            UNION ALL
            SELECT d.id, t.tax_id FROM document d CROSS JOIN taxpayer t ON t.id = d.emitter_id
            WHERE d.is_current = 0 AND t.tax_id IS NOT NULL
        )
        GROUP BY document_id, word
    )
    GROUP BY document_id
    ORDER BY document_id
"""


def upgrade() -> None:
    op.get_bind().exec_driver_sql(FILL)
