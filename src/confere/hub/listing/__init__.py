"""Lists of the hub, page by page, whatever their envelope, parameters and dates."""
