"""What the commands of reviewing findings say to people."""
