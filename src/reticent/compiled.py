"""Loops compiled with numba, where it is installed (the extra ``fast``)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

__all__ = ["compiled"]


def compiled(loop: Callable[..., Any]) -> Callable[..., Any] | None:
    """The loop compiled to machine code that releases the interpreter's lock, or None without numba.

    What was compiled is kept on disk where numba finds a directory that it may write to.
    """
    try:
        from numba import njit
    except ImportError:
        return None
    try:
        return njit(cache=True, nogil=True)(loop)
    except RuntimeError:  # neither the package's directory nor the user's can be written to
        return njit(nogil=True)(loop)
