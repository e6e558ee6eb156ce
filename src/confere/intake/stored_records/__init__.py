"""Records of hubs and files once more read from the JSON that the archive keeps, and held against their rows."""
