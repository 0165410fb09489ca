"""Losses and labelled rounds from arrays, frames, Arrow, CSV, TSV, Parquet, .npy: formats are known only here."""

from reticent.streams.flights import flights
from reticent.streams.held import HeldStream
from reticent.streams.labelled import LabelledStream, open_labelled
from reticent.streams.opening import open_losses
from reticent.streams.predictions import losses_from_predictions
from reticent.streams.stream import LossStream

__all__ = [
    "HeldStream",
    "LabelledStream",
    "LossStream",
    "flights",
    "losses_from_predictions",
    "open_labelled",
    "open_losses",
]
