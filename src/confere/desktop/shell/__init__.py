"""The frame around the pages: top bar, sidebar, status bar, notices and the main window itself."""
