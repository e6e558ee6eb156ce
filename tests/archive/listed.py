"""What two accounts' hubs list and give: records, downloads, a voiding and a paper without a key."""

from __future__ import annotations

from confere.archive.accounts import accounts
from confere.archive.clock import from_text
from confere.archive.hub import download_queue, hub_records
from confere.archive.hub.hub_records import HubRecord
from confere.archive.store import Archive
from confere.sales.hub_document import HubItem
from tests.archive.hub_documents import hub_document
from tests.archive.papers import key

PLAIN = b"<retConsStatServ><cStat>107</cStat></retConsStatServ>"
VOIDING = (
    b'<procInutNFe xmlns="http://www.portalfiscal.inf.br/nfe" versao="4.00"><inutNFe versao="4.00">'
    b'<infInut Id="ID35261122233300018155001000000005000000007"><tpAmb>1</tpAmb><xServ>INUTILIZAR</xServ><cUF>35</cUF>'
    b"<ano>26</ano><CNPJ>11222333000181</CNPJ><mod>55</mod><serie>1</serie><nNFIni>5</nNFIni><nNFFin>7</nNFFin>"
    b'<xJust>Falha no sistema</xJust></infInut></inutNFe><retInutNFe versao="4.00"><infInut><tpAmb>1</tpAmb>'
    b"<cStat>102</cStat><xMotivo>x</xMotivo><cUF>35</cUF><ano>26</ano><CNPJ>11222333000181</CNPJ><mod>55</mod>"
    b"<serie>1</serie><nNFIni>5</nNFIni><nNFFin>7</nNFFin><dhRecbto>2026-10-07T10:00:00-03:00</dhRecbto>"
    b"<nProt>135260000000001</nProt></infInut></retInutNFe></procInutNFe>"
)


def add_accounts(archive: Archive) -> None:
    with archive.writing() as transaction:
        for name in ("shop", "other"):
            accounts.add(transaction, name=name, environment="production", address="x", platform="x")


def observe(
    archive: Archive,
    number: int | None,
    *,
    account: int = 1,
    subtype: str | None = "sale",
    marketplace: str = "Vitrine",
    order: str = "900",
    hub_id: str = "fd-1",
    access_key: str | None = None,
) -> None:
    name = access_key if access_key is not None or number is None else key(number)
    document = hub_document(
        hub_id,
        name,
        subtype=subtype,
        marketplace=marketplace,
        order_id=order,
        created_at=from_text("2026-10-05T12:00:00.000+00:00"),
        updated_at=from_text("2026-10-05T12:00:00.000+00:00"),
        items=(HubItem(f"item-{hub_id}", None),),
        raw=f"{account}{subtype}{marketplace}{order}{hub_id}{name}".encode(),
    )
    with archive.writing() as transaction:
        hub_records.observe(transaction, archive.vault_writer, account, 1, [HubRecord(document)])


def download(archive: Archive, content_id: int) -> None:
    with archive.writing() as transaction:
        (queued,) = download_queue.open_items(transaction, 1, 0, 10)
        download_queue.mark_done(transaction, [(queued.id, content_id)])
