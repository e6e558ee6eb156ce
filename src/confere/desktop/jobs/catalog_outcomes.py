"""Says in words how a job of the catalog ended."""

from __future__ import annotations

from confere.desktop.jobs.catalog_results import CatalogJobResult, PushJobResult
from confere.desktop.widgets.notices import GOOD, WARN
from confere.system import formatting
from confere.system.messages import t


def catalog_synced(result: CatalogJobResult) -> tuple[str, str]:
    count = formatting.count
    text = t(
        "Catalog synced. New products: {new}, changed: {changed}.", new=count(result.new), changed=count(result.changed)
    )
    if result.gone:
        text += " " + t("No longer listed: {count}.", count=count(result.gone))
    if not (result.failures or result.lost):
        return GOOD, text
    if not result.failures:
        return WARN, f"{text} " + t("Listed, and unaccounted for: {count}.", count=count(result.lost))
    first = result.failures[0]
    return WARN, f"{text} " + t("{name}: {why}", name=first.name, why=first.reason)


def pushed(result: PushJobResult) -> tuple[str, str]:
    """How many rows the hub has now; of those that did not go well the first, in the hub's own words."""
    counts, count = result.counts, formatting.count
    text = t(
        "Rows that the hub has as the file says: {count}.",
        count=count(counts.created + counts.changed + counts.unchanged),
    )
    if result.faults:
        first = result.faults[0]
        return WARN, t("Nothing was sent. Row {line}: {why}", line=first.line, why=first.reason)
    if not result.rows:
        return GOOD, text
    bad = result.rows[0]
    why = bad.hub_words or bad.reason or result.problem
    left = t("Not there: {count}.", count=count(counts.refused + counts.failed + counts.not_sent))
    return WARN, f"{text} {left} " + t("Row {line}: {why}", line=bad.line, why=why)
