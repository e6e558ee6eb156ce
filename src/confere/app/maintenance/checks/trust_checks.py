"""How far the signers of an archive reach: to a root of ICP-Brasil, or to an authority that is not at hand."""

from __future__ import annotations

from typing import Final

from confere.app.authenticity import trust
from confere.app.context import Workspace
from confere.app.maintenance.checks.check_result import Examination
from confere.archive.authenticity import missing_authorities
from confere.archive.store import Archive
from confere.errors import message
from confere.system import formatting

TOPIC: Final = "trust"
_MOST_NAMED: Final = 20


def of_chains(workspace: Workspace, archive: Archive, found: Examination) -> None:
    """Add what is known of chains; nothing of it is a fault of the archive, and none asks for more than a look."""
    with archive.reading() as transaction:
        chains = missing_authorities.chains(transaction)
    learned = trust.learned(workspace.home)
    found.facts["trust"] = {
        "authorities": trust.trust_for(workspace.home).count,
        "learned": len(learned),
        "papers": chains.papers,
        "papers_decided": chains.decided,
        "papers_reaching": chains.reaching,
        "signers": chains.signers,
        "signers_reaching": chains.signers_reaching,
        "missing": [
            {"authority": entry.name, "papers": entry.papers, "signers": entry.signers} for entry in chains.missing
        ],
    }
    if not chains.papers:
        found.add(TOPIC, True, message("No signed paper was checked yet; run `confere verify`."))
        return
    found.add(
        TOPIC,
        True,
        message(
            "{reaching} of {signers} signers reach a root of ICP-Brasil; {decided} of {papers} chains are decided.",
            reaching=formatting.count(chains.signers_reaching),
            signers=formatting.count(chains.signers),
            decided=formatting.count(chains.decided),
            papers=formatting.count(chains.papers),
        ),
    )
    for entry in chains.missing[:_MOST_NAMED]:
        what = message(
            "The certificate of {name} is missing: papers {papers}, signers {signers}. `confere trust import` adds it.",
            name=entry.name,
            papers=formatting.count(entry.papers),
            signers=formatting.count(entry.signers),
        )
        found.add(TOPIC, True, what, attention=True)
    more = len(chains.missing) - _MOST_NAMED
    if more > 0:
        found.add(TOPIC, True, message("More authorities are missing: {count}.", count=formatting.count(more)))
