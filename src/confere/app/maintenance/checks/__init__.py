"""What the doctor looks at, one part of the archive in each module."""
