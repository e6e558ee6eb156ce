"""Long work in child processes: started, shown, cancelled; the window itself never does any."""
