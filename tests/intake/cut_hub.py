"""A hub that gives its list of fiscal documents short of what it has, in all the ways that were seen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tests.intake.served import Answer
from tests.intake.small_hub import SmallHub

EMPTY_PAGE, SAID_MORE, ONLY_SO_MANY = "an empty page in the middle", "more said than shown", "no more than so many"
CAPPED_TOTAL, TOTAL_OF_PAGE = "a total that is capped", "a total of one page"
SHORT = (EMPTY_PAGE, SAID_MORE, ONLY_SO_MANY)
MISCOUNTED = (CAPPED_TOTAL, TOTAL_OF_PAGE)
CAP = 100


@dataclass
class CutHub(SmallHub):
    """`cut` is one of the ways above; empty where the list is whole."""

    cut: str = ""

    def answer(self, method: str, path: str, query: dict[str, str], body: bytes) -> Answer:
        status, told = super().answer(method, path, query, body)
        if path != "/v2/fiscalDocuments" or status != 200:
            return status, told
        offset, limit = int(query.get("offset", 0)), int(query["limit"])
        has = told["page"]["totalElements"]
        content: list[Any] = told["content"]
        said = has
        if self.cut == EMPTY_PAGE and 100 <= offset < 200:
            content = []
        elif self.cut == SAID_MORE:
            said = has + 650 if has else 0
        elif self.cut == ONLY_SO_MANY:
            said, content = min(has, CAP), content[: max(0, CAP - offset)]
        elif self.cut == CAPPED_TOTAL:
            said = min(has, CAP)
        elif self.cut == TOTAL_OF_PAGE:
            said = len(content)
        told["content"] = content
        told["page"] |= {"totalElements": said, "totalPages": -(-said // limit)}
        return status, told
