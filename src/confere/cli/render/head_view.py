"""A document whose head alone is read, in full for a terminal: the service of an NFS-e, then all groups as fields."""

from __future__ import annotations

from rich.console import RenderableType

from confere.app.labels import service_labels
from confere.cli.render import fields as say
from confere.fiscal.detail import HeadDetail
from confere.system.messages import t


def parts(made: list[RenderableType], detail: HeadDetail) -> None:
    """Everything below the parties."""
    if detail.service is not None:
        say.facts_section(made, t("Service"), list(service_labels.service(detail.service)))
        say.facts_section(made, t("Taxes of the service"), list(service_labels.taxes(detail.service)))
    say.facts_section(made, t("Identification"), say.fields(detail.identification))
    say.groups(made, t("Other fields"), detail.sections)
