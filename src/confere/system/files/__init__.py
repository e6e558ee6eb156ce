"""Files on the user's disk: written whole, opened safely, named safely, kept private."""
