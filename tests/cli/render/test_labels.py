"""The words of both faces reach a terminal without anything that could command it."""

from __future__ import annotations

from confere.cli.render import labels

ESCAPE = "\x1b[31m"


def test_known_words_are_those_of_both_faces() -> None:
    assert labels.type_word("nfe") == "NF-e"
    assert labels.state_word("no_protocol") == "no protocol"
    assert labels.role_word("emitter") == "Emitter"
    assert labels.operation_word("sale") == "sale"
    assert labels.operation_word(None) == ""
    assert labels.topic_word("disk") == "disk"
    assert labels.relation_word("carries", reverse=True) == "is carried by"
    assert labels.claims_word(3) == "the XML and the hub"
    assert labels.tax_id_word("12ABC34501DE35") == "12.ABC.345/01DE-35"
    assert labels.number_word(1, 4711) == "1/4711"


def test_what_a_file_says_cannot_command_the_terminal() -> None:
    assert labels.party_word("11444777000161", f"Ipê{ESCAPE}") == "Ipê\ufffd[31m"
    for word in (labels.type_word, labels.state_word, labels.role_word, labels.topic_word, labels.tax_id_word):
        assert word(ESCAPE) == "\ufffd[31m"
    assert labels.operation_word(ESCAPE) == "\ufffd[31m"
    assert labels.relation_word(ESCAPE, reverse=True) == "\ufffd[31m"
