"""Lets every test import the helpers beside this file, and makes property tests the same on every run."""

from hypothesis import settings

# The same examples every time, and no clock: a test that fails by chance is a defect.
settings.register_profile("reticent", deadline=None, derandomize=True)
settings.load_profile("reticent")
