"""Would catch: tracebacks, wrong exit codes, randomness drawn or files written although something is wrong."""

import os
import stat
import sys

import pytest

from cli.commands import only_sentence, reticent, some_losses, write_csv

BUDGET = ("--epsilon", "1", "--delta", "1e-6")
OUTPUTS = ("--json", "r.json", "--choices", "c.csv", "--plot", "p.png", "--plot-released", "q.png")


def files(here):
    return {path.name: path.read_bytes() for path in here.iterdir()}


@pytest.mark.parametrize("row", [0, 299])
@pytest.mark.parametrize("bad", ["nan", "1.5", "-0.1", "text", ""])
def test_a_bad_loss_ends_the_run_with_1_and_writes_nothing(here, row, bad):
    losses = some_losses().tolist()
    losses[row][1] = bad
    (here / "losses.csv").write_text("\n".join(",".join(map(str, r)) for r in [["a", "b", "c"], *losses]))
    before = files(here)
    result = reticent("run", "losses.csv", *BUDGET, *OUTPUTS)
    assert (result.exit_code, result.stdout) == (1, "")
    assert f"line {row + 2}" in only_sentence(result.stderr)
    assert "'b'" in result.stderr
    assert files(here) == before


def test_an_output_that_exists_survives_a_failed_run_and_is_replaced_by_a_good_one(losses, here):
    (here / "c.csv").write_text("precious")
    (here / "bad.csv").write_text("a,b\n0,2\n")
    assert reticent("run", "bad.csv", *BUDGET, "--choices", "c.csv").exit_code == 1
    assert (here / "c.csv").read_text() == "precious"
    assert reticent("run", losses, *BUDGET, "--choices", "c.csv").exit_code == 0
    assert (here / "c.csv").read_text().startswith("round,")


def test_a_file_that_is_replaced_keeps_its_permissions_and_a_link_stays_a_link(losses, here):
    (here / "real.csv").write_text("old")
    (here / "real.csv").chmod(0o600)
    (here / "c.csv").symlink_to("real.csv")
    assert reticent("run", losses, *BUDGET, "--choices", "c.csv").exit_code == 0
    assert (here / "c.csv").is_symlink()
    assert (here / "real.csv").read_text().startswith("round,")
    assert stat.S_IMODE((here / "real.csv").stat().st_mode) == 0o600


def test_when_one_file_cannot_be_written_none_is(losses, here, monkeypatch):
    def full(*_arguments, **_options):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("matplotlib.figure.Figure.savefig", full)
    before = files(here)
    result = reticent("run", losses, *BUDGET, *OUTPUTS)
    assert (result.exit_code, result.stdout) == (1, "")
    assert only_sentence(result.stderr) == "No space left on device."
    assert files(here) == before


@pytest.mark.parametrize(
    ("options", "named"),
    [
        (("--choices", "c.txt"), ".csv, .npy, .parquet"),
        (("--choices", "c"), ".csv, .npy, .parquet"),
        (("--choices", "-"), ".csv, .npy, .parquet"),
        (("--plot", "p.gif"), ".png, .svg, .pdf"),
        (("--plot-released", "p.csv"), ".png, .svg, .pdf"),
        (("--json", "nowhere/r.json"), "does not exist"),
        (("--choices", "nowhere/c.csv"), "does not exist"),
        (("--json", "."), "not a regular file"),
        (("--json", os.devnull), "not a regular file"),
        (("--choices", "losses.csv"), "named twice"),
        (("--choices", "./losses.csv"), "named twice"),
        (("--plot", "p.png", "--plot-released", "p.png"), "named twice"),
    ],
)
def test_an_output_that_cannot_be_ends_with_2_before_anything_is_drawn(losses, here, no_draws, options, named):
    before = files(here)
    result = reticent("run", losses, *BUDGET, *options)
    assert (result.exit_code, result.stdout) == (2, "")
    assert named in result.stderr
    assert files(here) == before


@pytest.mark.parametrize(
    ("options", "named"),
    [
        (("--epsilon", "0"), "epsilon"),
        (("--epsilon", "-1"), "epsilon"),
        (("--epsilon", "nan"), "epsilon"),
        (("--epsilon", "inf"), "epsilon"),
        (("--epsilon", "-1", "--algorithm", "hedge"), "epsilon"),
        (("--epsilon", "one"), "epsilon"),
        ((), "epsilon"),
        (("--epsilon", "1", "--delta", "1"), "delta"),
        (("--epsilon", "1", "--delta", "-0.5"), "delta"),
        (("--epsilon", "1", "--delta", "nan"), "delta"),
        (("--epsilon", "1", "--horizon", "0"), "horizon"),
        (("--epsilon", "1", "--rounds-per-person", "0"), "rounds-per-person"),
        (("--epsilon", "1", "--relation", "replace-two"), "relation"),
        (("--epsilon", "1", "--algorithm", "newton"), "newton"),
        (("--epsilon", "1", "--algorithm", "private-hedge"), "horizon"),
        (("--epsilon", "1", "--seed", "-1"), "seed"),
        (("--epsilon", "1", "--loss", "absolute"), "--target"),
        (("--epsilon", "1", "--scale", "2"), "--target"),
        (("--epsilon", "1", "--clip"), "--target"),
        (("--epsilon", "1", "--target", "tree"), "--loss"),
        (("--epsilon", "1", "--target", "tree", "--loss", "absolute", "--scale", "0"), "scale"),
        (("--epsilon", "1", "--target", "tree", "--loss", "zero-one", "--scale", "2"), "scale"),
    ],
)
def test_a_bad_parameter_ends_with_2_before_anything_is_drawn(losses, no_draws, options, named):
    result = reticent("run", losses, *options)
    assert (result.exit_code, result.stdout) == (2, "")
    assert named in result.stderr.splitlines()[-1]


@pytest.mark.parametrize(
    ("name", "content"), [("none.csv", None), ("empty.csv", ""), ("header.csv", "a,b\n"), ("odd.xyz", "a\n0\n")]
)
def test_an_input_that_is_none_ends_with_1(here, no_draws, name, content):
    if content is not None:
        (here / name).write_text(content)
    result = reticent("run", name, *BUDGET)
    assert (result.exit_code, result.stdout) == (1, "")
    assert name in only_sentence(result.stderr)


def test_a_target_that_is_no_column_ends_with_1(losses, no_draws):
    result = reticent("run", losses, *BUDGET, "--target", "truth", "--loss", "zero-one")
    assert result.exit_code == 1
    assert "'truth'" in only_sentence(result.stderr)


@pytest.mark.parametrize(
    ("module", "options", "extra"),
    [
        ("matplotlib.figure", ("--plot", "p.png"), "plot"),
        ("matplotlib.figure", ("--plot-released", "p.png"), "plot"),
        ("pyarrow", ("--choices", "c.parquet"), "arrow"),
    ],
)
def test_a_missing_extra_is_named_before_anything_is_drawn(losses, no_draws, monkeypatch, module, options, extra):
    monkeypatch.setitem(sys.modules, module, None)
    result = reticent("run", losses, *BUDGET, *options)
    assert result.exit_code == 1
    assert f"reticent[{extra}]" in only_sentence(result.stderr)


def test_an_interrupt_ends_with_130_and_one_line(losses, here, monkeypatch):
    def interrupt(*_arguments, **_options):
        raise KeyboardInterrupt

    monkeypatch.setattr("reticent.run", interrupt)
    before = files(here)
    result = reticent("run", losses, *BUDGET, *OUTPUTS)
    assert (result.exit_code, result.stdout) == (130, "")
    assert only_sentence(result.stderr) == "interrupted."
    assert files(here) == before


def test_too_many_columns_in_one_line_end_with_1(here):
    path = write_csv(here / "losses.csv", some_losses(), ["a", "b"])
    result = reticent("run", path, *BUDGET)
    assert result.exit_code == 1
    assert "line 2" in only_sentence(result.stderr)
