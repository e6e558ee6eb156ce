"""What a national NFS-e says of its service, taxes and what is withheld, in words for both faces."""

from __future__ import annotations

from confere.app.labels.labels import month_word
from confere.fiscal.detail import Service
from confere.fiscal.law.tables import law_tables
from confere.system import formatting
from confere.system.messages import render, t

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
        ("ISSQN", _coded(found.iss_situation, _word("tribISSQN", found.iss_situation))),
        (t("Base of the ISSQN"), formatting.money(found.iss_base_cents)),
        (t("Rate of the ISSQN"), rate),
        (t("Amount of the ISSQN"), formatting.money(found.iss_cents)),
        (t("ISSQN withheld"), _coded(found.iss_withheld_by, _word("tpRetISSQN", found.iss_withheld_by))),
        ("PIS", formatting.money(found.pis_cents)),
        ("COFINS", formatting.money(found.cofins_cents)),
        (t("PIS and COFINS withheld (code)"), found.pis_cofins_withheld),
        *(
            (_word("withheld", entry.name) or entry.name, formatting.money(entry.amount_cents))
            for entry in found.withheld
        ),
        (t("Withheld in all"), formatting.money(found.withheld_cents)),
        ("IBS", formatting.money(found.ibs_cents)),
        ("CBS", formatting.money(found.cbs_cents)),
        (t("Net amount"), formatting.money(found.net_cents)),
    ]


def _word(table: str, code: str | None) -> str | None:
    meaning = law_tables("services")[table].get(code or "")
    return render(meaning) if meaning is not None else None


def _coded(code: str | None, said: str | None) -> str | None:
    return " – ".join(filter(None, (code, said))) or None
