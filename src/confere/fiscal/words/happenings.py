"""The official names of the tags that only events have."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from confere.errors import N_

HAPPENINGS: Final[Mapping[str, str]] = {
    # what an event says of itself and of the papers it names
    "nProt": N_("Protocol of the document"),
    "nProtEvento": N_("Protocol of the event"),
    "nProtCE": N_("Protocol of the delivery receipt"),
    "nProtIE": N_("Protocol of the failed delivery"),
    "nProtEvPrestDes": N_("Protocol of the disagreement"),
    "nProtVincPgto": N_("Protocol of the linked payment"),
    "cOrgaoAutor": N_("Body of the author"),
    "tpAutor": N_("Kind of author"),
    "verAplic": N_("Version of the application"),
    "chNFeRef": N_("Access key of the note in its place"),
    "xCorrecao": N_("Correction"),
    "xCondUso": N_("Conditions of use"),
    "grupoAlterado": N_("Group changed"),
    "campoAlterado": N_("Field changed"),
    "valorAlterado": N_("New value"),
    "nroItemAlterado": N_("Item changed"),
    "infCorrecao": N_("Correction"),
    "tpAutorizacao": N_("Kind of permission"),
    "indDesacordoOper": N_("Service in disagreement"),
    # delivery
    "dhEntrega": N_("Delivered"),
    "dhTentativaEntrega": N_("Delivery attempted"),
    "nTentativa": N_("Number of the attempt"),
    "tpMotivo": N_("Kind of reason"),
    "xJustMotivo": N_("Reason"),
    "latGPS": N_("Latitude"),
    "longGPS": N_("Longitude"),
    "latitude": N_("Latitude"),
    "longitude": N_("Longitude"),
    "hashComprovante": N_("Hash of the receipt"),
    "dhHashComprovante": N_("Hash of the receipt made"),
    "hashEntrega": N_("Hash of the delivery"),
    "dhHashEntrega": N_("Hash of the delivery made"),
    "hashTentativaEntrega": N_("Hash of the attempt"),
    "dhHashTentativaEntrega": N_("Hash of the attempt made"),
    "infEntrega": N_("Delivery"),
    # MDF-e
    "chMDFe": N_("Access key of the MDF-e"),
    "dtEnc": N_("Closed on"),
    "cMunCarrega": N_("City of loading (IBGE)"),
    "xMunCarrega": N_("City of loading"),
    "cMunDescarga": N_("City of unloading (IBGE)"),
    "xMunDescarga": N_("City of unloading"),
    "condutor": N_("Driver"),
    "infViagens": N_("Trips"),
    "qtdViagens": N_("Number of trips"),
    "nroViagem": N_("Number of the trip"),
    "infPag": N_("Payment"),
    "infPrazo": N_("Instalment"),
    "infBanc": N_("Bank details"),
    "vContrato": N_("Value of the contract"),
    "vAdiant": N_("Advance payment"),
    "nParcela": N_("Number of the instalment"),
    "vParcela": N_("Value of the instalment"),
    "CNPJIPEF": N_("CNPJ of the payment institution"),
    "PIX": N_("Pix key"),
    "codBanco": N_("Bank"),
    "codAgencia": N_("Branch"),
}
