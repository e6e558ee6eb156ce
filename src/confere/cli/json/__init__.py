"""The JSON that scripts rely on."""
