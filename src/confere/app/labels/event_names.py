"""The names of the fiscal events, by their code."""

from __future__ import annotations

from typing import Final

from confere.errors import N_, Message
from confere.fiscal import access_keys
from confere.fiscal.state import CLOSING_MODEL

_NAMES: Final = {
    # by whoever emitted the document
    "110110": N_("correction letter"),
    "110111": N_("cancellation"),
    "110112": N_("cancellation by substitution"),
    "110113": N_("EPEC (advance notice of issue)"),
    "110114": N_("driver added"),
    "110115": N_("document added"),
    "110130": N_("proof of delivery"),
    "110131": N_("proof of delivery cancelled"),
    "110140": N_("EPEC (advance notice of issue)"),
    "110150": N_("interested party of the NF-e"),
    "110160": N_("multimodal transport"),
    "110170": N_("transport of valuables (GTV)"),
    "110180": N_("proof of delivery"),
    "110181": N_("proof of delivery cancelled"),
    "110190": N_("failed delivery"),
    "110191": N_("failed delivery cancelled"),
    "110192": N_("failed delivery"),
    "110193": N_("failed delivery cancelled"),
    "110750": N_("financial settlement (ECONF)"),
    "110751": N_("financial settlement (ECONF) cancelled"),
    "111500": N_("extension of suspension asked for, first term"),
    "111501": N_("extension of suspension asked for, second term"),
    "111502": N_("request for extension cancelled, first term"),
    "111503": N_("request for extension cancelled, second term"),
    # by whoever received it
    "210200": N_("operation confirmed by the recipient"),
    "210210": N_("recipient aware of the operation"),
    "210220": N_("operation unknown to the recipient"),
    "210240": N_("operation not carried out"),
    "610110": N_("disagreement about the service"),
    "610111": N_("disagreement about the service cancelled"),
    # by the tax authority
    "240130": N_("complementary CT-e authorized"),
    "240131": N_("complementary CT-e cancelled"),
    "240140": N_("replaced by another CT-e"),
    "240150": N_("annulled by another CT-e"),
    "240160": N_("EPEC released"),
    "240170": N_("cancellation allowed out of term"),
    "310610": N_("MDF-e authorized"),
    "310611": N_("MDF-e cancelled"),
    "310620": N_("passage at a checkpoint"),
    "411500": N_("extension of suspension answered, first term"),
    "411501": N_("extension of suspension answered, second term"),
    "411502": N_("cancelled request for extension answered, first term"),
    "411503": N_("cancelled request for extension answered, second term"),
    "440130": N_("redispatch authorized"),
    "440140": N_("intermediate redispatch authorized"),
    "440150": N_("subcontracting authorized"),
    "440160": N_("service linked to multimodal transport authorized"),
    "510620": N_("passage at an automatic checkpoint"),
    "610130": N_("proof of delivery of the CT-e"),
    "610131": N_("proof of delivery of the CT-e cancelled"),
    "610500": N_("passage at a checkpoint"),
    "610501": N_("passage at a checkpoint cancelled"),
    "610510": N_("passage of the MDF-e at a checkpoint"),
    "610514": N_("passage of the MDF-e with CT-e at a checkpoint"),
    "610550": N_("passage at an automatic checkpoint"),
    "610552": N_("passage of the MDF-e at an automatic checkpoint"),
    "610554": N_("passage of the MDF-e with CT-e at an automatic checkpoint"),
    "610600": N_("CT-e authorized"),
    "610601": N_("CT-e cancelled"),
    "610610": N_("MDF-e authorized"),
    "610611": N_("MDF-e cancelled"),
    "610614": N_("MDF-e with CT-e authorized"),
    "610615": N_("MDF-e with CT-e cancelled"),
    "790700": N_("export registered by customs"),
    "990900": N_("SUFRAMA inspection"),
    "990910": N_("entry into the free zone confirmed (SUFRAMA)"),
    # of the tax reform
    "110001": N_("event cancelled"),
    "112110": N_("full payment made, presumed credit released"),
    "112120": N_("import into a free trade area not turned into an exemption"),
    "112130": N_("goods lost or stolen in transport by the supplier"),
    "112140": N_("prepaid supply not carried out"),
    "112150": N_("expected delivery date changed"),
    "211110": N_("presumed credit claimed"),
    "211120": N_("item taken for personal consumption"),
    "211124": N_("goods lost or stolen in transport by the buyer"),
    "211128": N_("debit from a credit note accepted"),
    "211130": N_("item turned into a fixed asset"),
    "211140": N_("fuel credit claimed"),
    "211150": N_("credit claimed that depends on the buyer's activity"),
    "212110": N_("transfer of IBS credit by succession answered"),
    "212120": N_("transfer of CBS credit by succession answered"),
    "412120": N_("transfer of IBS credit by succession decided by the tax authority"),
    "412130": N_("transfer of CBS credit by succession decided by the tax authority"),
}
# The same codes mean something else there.
_NAMES_OF_MDFE: Final = {
    "110112": N_("journey closed"),
    "110116": N_("payment of the transport"),
    "110117": N_("transport service confirmed"),
    "110118": N_("payment of the transport changed"),
}


def name_of(code: str, access_key: str | None = None) -> Message | None:
    """The name of an event on the document of this key; None for a code that is not known."""
    parts = access_keys.parse(access_key) if access_key else None
    known = _NAMES.get(code)
    if parts is not None and parts.model == CLOSING_MODEL:
        known = _NAMES_OF_MDFE.get(code, known)
    return Message(known) if known else None
