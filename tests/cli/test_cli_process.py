"""Would catch: what only a real process shows: exit codes, pipes, missing packages, what an import drags along."""

import os
import shlex
import subprocess
import sys

import pytest

import reticent as rt
from cli.commands import reticent, some_losses, write_csv
from reticent.cli.app import app


def python(*arguments, **options):
    return subprocess.run([sys.executable, *map(str, arguments)], capture_output=True, text=True, **options)


def test_the_module_is_the_command_line(losses):
    result = python("-m", "reticent", "run", losses, "--epsilon", "1", "--choices", losses.parent / "c.csv")
    assert (result.returncode, result.stderr) == (0, "")
    assert "May be released" in result.stdout
    assert (losses.parent / "c.csv").exists()


def test_a_failure_is_one_line_on_stderr(here):
    result = python("-m", "reticent", "run", here / "none.csv", "--epsilon", "1")
    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr.count("\n") == 1


def test_a_reader_that_leaves_causes_no_traceback(losses):
    command = [sys.executable, "-m", "reticent", "run", str(losses), "--epsilon", "1", "--json", "-"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        process.stdout.close()
        assert process.stderr.read() == ""


@pytest.mark.parametrize("package", ["click", "rich"])
def test_without_the_extra_there_is_one_clear_sentence(package):
    code = f"import sys; sys.modules[{package!r}] = None; import reticent.__main__ as m; m.main()"
    result = python("-c", code, "--version")
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr.count("\n") == 1
    assert package in result.stderr
    assert "reticent[cli]" in result.stderr


def test_importing_the_library_needs_no_extra():
    extras = ["click", "rich", "matplotlib", "pyarrow"]
    code = f"import sys; import reticent, reticent.report.display; print([e for e in {extras} if e in sys.modules])"
    assert python("-c", code).stdout.strip() == "[]"


def test_a_name_that_the_terminal_cannot_show_does_not_end_the_run(here):
    losses = write_csv(here / "losses.csv", some_losses(), ["eins", "zwölf 木 \U0001f600", "drei"])
    options = ("--epsilon", "1", "--plot", here / "p.png")
    western = {"env": {**os.environ, "PYTHONIOENCODING": "latin-1"}, "encoding": "latin-1"}
    result = python("-m", "reticent", "run", losses, *options, **western)
    assert (result.returncode, result.stderr) == (0, "")
    assert "zwölf ? ?" in result.stdout
    assert python("-m", "reticent", "compare", losses, "--epsilon", "1", "--runs", "1", **western).returncode == 0


def test_the_version_is_told():
    assert reticent("--version").stdout == f"reticent, version {rt.__version__}\n"


@pytest.mark.parametrize("command", [[], ["run"], ["compare"], ["audit"], ["demo", "flights"]])
def test_help_has_an_example(command):
    result = reticent(*command, "--help")
    assert result.exit_code == 0
    assert " ".join(["  reticent", *command]) in result.stdout
    assert "Usage: " in result.stdout


def test_an_unknown_command_ends_with_2():
    assert reticent("guess").exit_code == 2


@pytest.mark.parametrize("name", sorted(app.commands))
def test_the_examples_of_a_help_text_are_commands(name):
    """Would catch: text that slipped into an example, and options that are gone."""
    shown = [line for line in (app.commands[name].epilog or "").splitlines() if line.startswith("  ")]
    for example in "\n".join(shown).replace("\\\n", " ").splitlines():
        program, command, *arguments = shlex.split(example)
        assert (program, command) == ("reticent", name)
        app.commands[name].make_context(name, arguments)
