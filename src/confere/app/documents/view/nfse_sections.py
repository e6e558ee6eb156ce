"""What an NFS-e says below its parties: the service, its price and taxes, and what is withheld."""

from __future__ import annotations

from confere.app.documents.view.facts import Section, fact, section
from confere.app.labels import service_labels
from confere.fiscal.detail import HeadDetail
from confere.system.messages import t


def sections(detail: HeadDetail) -> list[Section]:
    """None for documents that charge for no service."""
    if detail.service is None:
        return []
    return [
        section(t("Service"), *(fact(name, said) for name, said in service_labels.service(detail.service))),
        section(t("Taxes of the service"), *(fact(name, said) for name, said in service_labels.taxes(detail.service))),
    ]
