"""What a person arranges: searches that are saved, and tags on documents."""
