"""Reading fiscal XML: from bytes of unknown origin to the values of `confere.fiscal.model`, in one pass."""
