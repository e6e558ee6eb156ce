"""What a national NFS-e says of its service, taxes and what is withheld, in words for both faces."""

from __future__ import annotations

from typing import Final

from confere.app.labels.labels import month_word
from confere.errors import N_, Message
from confere.fiscal.detail import Service
from confere.system import formatting
from confere.system.messages import render, t

# tribISSQN and tpRetISSQN. Source: tiposSimples_v1.01.xsd.
_SITUATIONS: Final = {
    "1": N_("taxable"),
    "2": N_("immune"),
    "3": N_("export of a service"),
    "4": N_("not subject to the tax"),
}
_WITHHOLDERS: Final = {
    "1": N_("not withheld"),
    "2": N_("withheld by the taker"),
    "3": N_("withheld by the intermediary"),
}
_NAMES: Final = {
    "vRetCP": N_("Social security (INSS) withheld"),
    "vRetIRRF": N_("Income tax (IRRF) withheld"),
    "vRetCSLL": N_("Social contributions (CSLL) withheld"),
}
Facts = list[tuple[str, str | None]]


def service(found: Service) -> Facts:
    """What is charged for."""
    return [
        (t("Service"), _coded(found.code, found.name)),
        (t("Description"), found.description),
        (t("Service code of the city"), found.city_code),
        ("NBS", found.nbs),
        (t("Place of the service"), found.place),
        (t("Month of the tax"), month_word(found.competence[:7]) if found.competence else None),
    ]


def taxes(found: Service) -> Facts:
    """Price, ISSQN and the reform's taxes, what is withheld, and what remains to be paid; what is not said is None."""
    rate = None if found.iss_rate is None else f"{formatting.decimal(found.iss_rate, 2)} %"
    return [
        (t("Price of the service"), formatting.money(found.price_cents)),
        (t("Discount"), formatting.money(found.discount_cents)),
        ("ISSQN", _coded(found.iss_situation, _word(_SITUATIONS, found.iss_situation))),
        (t("Base of the ISSQN"), formatting.money(found.iss_base_cents)),
        (t("Rate of the ISSQN"), rate),
        (t("Amount of the ISSQN"), formatting.money(found.iss_cents)),
        (t("ISSQN withheld"), _coded(found.iss_withheld_by, _word(_WITHHOLDERS, found.iss_withheld_by))),
        ("PIS", formatting.money(found.pis_cents)),
        ("COFINS", formatting.money(found.cofins_cents)),
        (t("PIS and COFINS withheld (code)"), found.pis_cofins_withheld),
        *((render(Message(_NAMES[entry.name])), formatting.money(entry.amount_cents)) for entry in found.withheld),
        (t("Withheld in all"), formatting.money(found.withheld_cents)),
        ("IBS", formatting.money(found.ibs_cents)),
        ("CBS", formatting.money(found.cbs_cents)),
        (t("Net amount"), formatting.money(found.net_cents)),
    ]


def _word(known: dict[str, str], code: str | None) -> str | None:
    return render(Message(known[code])) if code in known else None


def _coded(code: str | None, said: str | None) -> str | None:
    return " – ".join(filter(None, (code, said))) or None
