"""Import of XML files, folders and ZIPs."""
