"""Losses from arrays, data frames, Arrow, CSV, TSV, Parquet and .npy: the only place that knows formats."""

from reticent.streams.flights import flights
from reticent.streams.held import HeldStream
from reticent.streams.opening import open_losses
from reticent.streams.predictions import losses_from_predictions
from reticent.streams.stream import LossStream

__all__ = ["HeldStream", "LossStream", "flights", "losses_from_predictions", "open_losses"]
