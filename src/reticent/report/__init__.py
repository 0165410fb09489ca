"""Reports: plots, tables and progress."""
