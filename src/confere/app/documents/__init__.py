"""Use cases on documents: find, show, relate, print, save, import."""
