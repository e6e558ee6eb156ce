"""How the world lies: which stories carry which anomaly, what it changes, and what an accountant must find."""
