"""What a file's bytes are wrapped in when they are downloaded."""

from __future__ import annotations

import base64
import gzip
import io
import json
import zipfile

from sandbox_hub.shapes.names import Shape, Shapes
from sandbox_hub.world.seeded_random import Die

_XML = "application/xml"
_FIRST_ZIP_DATE = (1980, 1, 1, 0, 0, 0)


def wrapped(shapes: Shapes, seed: int, item_id: str, xml: bytes) -> tuple[bytes, str]:
    """The body of a download and its media type: the same bytes for the same file, always."""
    if Shape.GZIP_FILE in shapes:
        return gzip.compress(xml, mtime=0), "application/gzip"
    if Shape.ZIP_FILE in shapes:
        return _zip(item_id, xml), "application/zip"
    if Shape.BASE64_FILE in shapes:
        return base64.b64encode(xml), "text/plain"
    if Shape.JSON_FILE in shapes:
        return _json(seed, item_id, xml), "application/json"
    return xml, "text/html" if Shape.HTML_TYPE in shapes else _XML


def _zip(item_id: str, xml: bytes) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(zipfile.ZipInfo(f"{item_id}.xml", _FIRST_ZIP_DATE), xml)
    return target.getvalue()


def _json(seed: int, item_id: str, xml: bytes) -> bytes:
    """The XML as it is, or as base64, by the seed."""
    plain = Die(seed, "shapes of downloads")(0) & 1
    content = {"xml": xml.decode("utf-8")} if plain else {"content": base64.b64encode(xml).decode("ascii")}
    return json.dumps({"id": item_id, **content}, ensure_ascii=False).encode()
