"""Values of real papers and records replaced by invented ones of the same form, the same one everywhere."""
