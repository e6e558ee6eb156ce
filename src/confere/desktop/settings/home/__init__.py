"""The data folder: which it is in the settings, the dialog that chooses another, and what is asked where it is gone."""
