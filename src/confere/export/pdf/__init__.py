"""Papers as PDF: drawn by the library that knows DANFE and DACTE, or plainly by ourselves where it cannot."""
