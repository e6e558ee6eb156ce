"""What the models of documents are called: the same in every language.

They stand in `resources/fiscal/models.csv`, by the two digits in an access key (a national NFS-e has none), with their
source where the layout of the model itself is not it. It is no TOML as the tables with texts are: the window paints no
row before it has read these, and what reads TOML takes longer to load than the rows take to paint.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping
from functools import cache

from confere.fiscal.law.tables import unreadable
from confere.system.resources import resource


def model_name(model: str) -> str:
    """`NF-e` for `55`, the model in an access key; a model without a name here stays its number."""
    return _names().get(model, model)


@cache
def _names() -> Mapping[str, str]:
    path = resource("fiscal", "models.csv")
    try:
        with path.open(encoding="utf-8", newline="") as file:
            names = {row["model"]: row["name"] for row in csv.DictReader(file)}
        if not names or not all(names.values()):
            raise ValueError("a model has no name")
    except (OSError, ValueError, KeyError, csv.Error) as error:
        raise unreadable(path, error) from error
    return names
