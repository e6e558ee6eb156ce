"""Every trait has its sentence, and every relation its meaning."""

from __future__ import annotations

import pytest

from confere.fiscal.document_parts import Warning
from confere.fiscal.warnings import INFORMATION, Trait, asks_attention, attention_count, explain


@pytest.mark.parametrize("trait", list(Trait))
def test_every_trait_has_a_sentence_with_its_detail(trait: Trait) -> None:
    sentence = explain(Warning(trait, "DETAIL-7"))
    assert str(sentence).endswith((".", "DETAIL-7", "DETAIL-7: it is damaged"))
    assert ("{detail}" in sentence.id) == ("DETAIL-7" in str(sentence))
    assert str(explain(Warning(str(trait), "DETAIL-7"))) == str(sentence)  # as it comes back from the archive


def test_a_code_of_a_newer_release_is_shown_as_it_stands() -> None:
    assert str(explain(Warning("from_tomorrow", "x=1"))) == "from_tomorrow x=1"


def test_only_what_a_person_should_look_into_marks_a_paper() -> None:
    assert not any(asks_attention(str(trait)) for trait in INFORMATION)  # codes as they come back from the archive
    assert asks_attention(Trait.NO_PROTOCOL)
    assert asks_attention("from_tomorrow")
    assert attention_count(["test_environment", "no_protocol", "bom", "bad_check_digit"]) == 2
    assert attention_count([]) == 0


def test_fields_that_differ_are_called_as_the_layout_calls_them() -> None:
    told = explain(Warning(Trait.KEY_FIELDS_DIFFER, "issued_at, number, novel"))
    assert told.params["detail"] == "dhEmi, nNF/nCT, novel"
