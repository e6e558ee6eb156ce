"""The items of a note, or the parts of a CT-e."""
