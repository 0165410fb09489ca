"""The command line: thin, and the only part of the library that prints."""
