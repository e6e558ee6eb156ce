"""Saving what is shown or selected: asks for the place, and gives the work to whoever does it beside the window."""
