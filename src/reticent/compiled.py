"""Loops compiled with numba, where it is installed (the extra ``fast``)."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any

__all__ = ["compiled"]


def compiled(loop: Callable[..., Any], **inner: Callable[..., Any] | None) -> Callable[..., Any] | None:
    """The loop compiled to machine code that releases the interpreter's lock, or None without numba.

    What was compiled is kept on disk where numba finds a directory that it may write to.

    Parameters
    ----------
    loop : function
        With no others in its closure.
    inner : compiled loops
        What the loop calls under these names, which are global to it.
    """
    try:
        from numba import njit
    except ImportError:
        return None
    if inner and isinstance(loop, FunctionType):  # as globals, for numba finds no closure over them again on disk
        loop = FunctionType(loop.__code__, {**loop.__globals__, **inner}, loop.__name__, closure=loop.__closure__)
    try:
        return njit(cache=True, nogil=True)(loop)
    except RuntimeError:  # neither the package's directory nor the user's can be written to
        return njit(nogil=True)(loop)
