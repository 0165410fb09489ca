import matplotlib.font_manager  # noqa: F401  # on a fresh machine its first import logs to stderr
import pytest

from cli.commands import some_losses, write_csv


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A fresh working directory."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def losses(here):
    """A good file of losses in the working directory."""
    return write_csv(here / "losses.csv", some_losses())


@pytest.fixture
def no_draws(monkeypatch):
    """Any use of randomness fails the test."""

    def refuse(*_arguments, **_options):
        raise AssertionError("a run was started")

    monkeypatch.setattr("reticent.run", refuse)
    monkeypatch.setattr("reticent.compare", refuse)
