"""How a test asks for the sentence with which data are refused."""

from __future__ import annotations

import pytest

from reticent.errors import InputError
from reticent.streams import open_losses


def refusal(data: object, **options: object) -> str:
    """The sentence with which the data are refused, on opening or on reading."""
    with pytest.raises(InputError) as refused:
        list(open_losses(data, **options).blocks())  # type: ignore[arg-type]
    return str(refused.value)
