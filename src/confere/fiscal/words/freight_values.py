"""What the codes that only a CT-e has mean, by the tag that holds them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from confere.errors import N_

FREIGHT_VALUES: Final[Mapping[str, Mapping[str, str]]] = {
    "modal": {
        "01": N_("Road"),
        "02": N_("Air"),
        "03": N_("Water"),
        "04": N_("Rail"),
        "05": N_("Pipeline"),
        "06": N_("Multimodal"),
    },
    "tpServ": {
        "0": N_("Normal service"),
        "1": N_("Subcontracting"),
        "2": N_("Redispatch"),
        "3": N_("Intermediate redispatch"),
        "4": N_("Service bound to a multimodal one"),
        "6": N_("Transport of people"),
        "7": N_("Transport of valuables"),
        "8": N_("Excess baggage"),
        "9": N_("Transport of valuables (GTV-e)"),
    },
    "tpCTe": {
        "0": N_("Normal CT-e"),
        "1": N_("Complementary CT-e"),
        "2": N_("CT-e of annulment"),
        "3": N_("CT-e in place of another"),
        "4": N_("GTV-e"),
        "5": N_("Simplified CT-e"),
        "6": N_("Simplified CT-e in place of another"),
    },
    "toma": {
        "0": N_("Sender"),
        "1": N_("Dispatcher"),
        "2": N_("Receiver"),
        "3": N_("Recipient"),
        "4": N_("Another party"),
    },
    "cUnid": {
        "00": N_("m³"),
        "01": N_("kg"),
        "02": N_("t"),
        "03": N_("units"),
        "04": N_("litres"),
        "05": N_("MMBTU"),
    },
    "respSeg": {
        "0": N_("Sender"),
        "1": N_("Dispatcher"),
        "2": N_("Receiver"),
        "3": N_("Recipient"),
        "4": N_("Emitter"),
        "5": N_("Taker"),
    },
    "retira": {
        "0": N_("Yes"),
        "1": N_("No"),
    },
    "indGlobalizado": {
        "1": N_("Yes"),
    },
    "indSN": {
        "1": N_("Yes"),
    },
    "indIEToma": {
        "1": N_("ICMS taxpayer"),
        "2": N_("Taxpayer exempt from registration"),
        "9": N_("Not a taxpayer"),
    },
    "tpPer": {
        "0": N_("Without a planned day"),
        "1": N_("On the day"),
        "2": N_("Up to the day"),
        "3": N_("From the day on"),
        "4": N_("Within the days"),
    },
    "tpHor": {
        "0": N_("Without a planned hour"),
        "1": N_("At the hour"),
        "2": N_("Up to the hour"),
        "3": N_("From the hour on"),
        "4": N_("Between the hours"),
    },
    "tpUnidTransp": {
        "1": N_("Traction vehicle"),
        "2": N_("Road trailer"),
        "3": N_("Ship"),
        "4": N_("Barge"),
        "5": N_("Aircraft"),
        "6": N_("Wagon"),
        "7": N_("Other transport units"),
    },
    "tpUnidCarga": {
        "1": N_("Container"),
        "2": N_("ULD"),
        "3": N_("Pallet"),
        "4": N_("Other cargo units"),
    },
}
