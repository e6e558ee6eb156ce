"""The sandbox's HTTP face: the hub's paths, plus a control panel for whoever runs it."""
