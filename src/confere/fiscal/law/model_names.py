"""What the models of documents are called: the same in every language."""

from __future__ import annotations

from confere.fiscal.law.tables import law_tables


def model_name(model: str) -> str:
    """`NF-e` for `55`, the model in an access key; a model without a name here stays its number."""
    name = law_tables("models")["models"].get(model)
    return model if name is None else name.id
