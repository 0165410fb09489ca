"""Littlestone classes."""
