"""Notes of any number, signed by a holder of `issuing`, with as many certificates as one likes."""

from __future__ import annotations

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256

from confere.fiscal.access_keys import check_digit
from tests.fiscal.authenticity.issuing import Holder
from tests.fiscal.authenticity.signing import IDE, KEY, MORE, Way, body, note, signature


def signed(number: int, holder: Holder, *others: Holder, environment: str = "1") -> bytes:
    """A note of that number, signed by `holder`; `others` come along in its X509Data."""
    head = f"3526031122233300018155001{number:09d}110203040"
    key = head + check_digit(head)
    content = IDE.replace("<nNF>4711", f"<nNF>{number}").replace(f"<cDV>{KEY[-1]}<", f"<cDV>{key[-1]}<")
    content = content.replace("<tpAmb>1", f"<tpAmb>{environment}")
    attributes = f'Id="NFe{key}" versao="4.00"'

    def sign(text: bytes) -> bytes:
        pair = decode_dss_signature(holder.key.sign(text, ec.ECDSA(SHA256())))
        return b"".join(part.to_bytes(32, "big") for part in pair)

    way = Way(method=MORE + "ecdsa-sha256", uri=f"#NFe{key}")
    canonical = body(content, attributes)
    return note(
        body(content, attributes, declared="")
        + signature(canonical, sign, [holder.text, *(o.text for o in others)], way)
    )
