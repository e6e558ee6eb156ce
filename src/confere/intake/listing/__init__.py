"""What a listing of the hub must cover and whether its answer can be believed."""
