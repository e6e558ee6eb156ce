"""Why a signature was withdrawn, and by what the findings of its company were told.

Until now the findings of a company were those of all its accounts; what was signed so is marked with the basis 1.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None

# The audit trail says it, in the moment of the withdrawal or just after it.
FILL = (
    "UPDATE signoff SET withdrawn_why = (SELECT a.detail FROM audit a WHERE a.action = 'signature withdrawn'"
    " AND a.subject = signoff.company || ' ' || signoff.month AND a.at >= signoff.withdrawn_at ORDER BY a.id LIMIT 1)"
    " WHERE withdrawn_at IS NOT NULL"
)


def upgrade() -> None:
    op.add_column("signoff", sa.Column("withdrawn_why", sa.Text(), nullable=True))
    op.add_column("signoff", sa.Column("basis", sa.Integer(), nullable=False, server_default="1"))
    op.execute(FILL)
