"""Would catch: a row of docs/theory.md that is missing, empty, or names what does not exist."""

import re
from pathlib import Path
from typing import Any

import pytest

import reticent

REPOSITORY = Path(__file__).parent.parent
PAGE = REPOSITORY / "docs" / "theory.md"

SANYAL = [
    *(f"Theorem {n}" for n in ("A", "B", "C", 1, 2, 3)),
    *(f"Definition {n}" for n in range(1, 11)),
    *(f"Lemma {n}" for n in range(1, 15)),
    *(f"Fact {n}" for n in range(1, 6)),
    "Proposition 1",
    "Claim 1",
    *(f"Algorithm {n}" for n in range(1, 5)),
    "Table 1",
    *(f"Figure {n}" for n in range(1, 5)),
]

LI_YE = [
    *(f"Theorem {n}" for n in ("1.1", "1.2", "1.3", "2.3")),
    *(f"Definition {n}" for n in ("2.2", "C.1")),
    *(f"Lemma {n}" for n in ("2.1", "2.4", "3.1", "3.2", "3.3", "3.4", "3.5", "C.2")),
    "Algorithm 1",
    "Algorithm 2",
    *(f"Appendix {n}" for n in "ABC"),
]


def tables() -> dict[str, list[list[str]]]:
    """The rows below each heading."""
    found: dict[str, list[list[str]]] = {}
    for section in PAGE.read_text().split("\n## ")[1:]:
        heading, *lines = section.splitlines()
        cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("|")]
        if not cells:
            continue
        assert cells[0] == ["statement", "what it says", "code", "test", "figure"]
        found[heading] = cells[2:]
    return found


ROWS = [(heading, row) for heading, rows in tables().items() for row in rows]


def each_row() -> Any:
    return pytest.mark.parametrize("row", [row for _, row in ROWS], ids=[f"{h}, {row[0]}" for h, row in ROWS])


@pytest.mark.parametrize(("paper", "statements"), [("Sanyal", SANYAL), ("Li and Ye", LI_YE)])
def test_every_statement_has_one_row(paper: str, statements: list[str]) -> None:
    """Catches a lemma that nobody got to."""
    named = [row[0] for heading, row in ROWS if heading.startswith(paper)]
    assert sorted(named) == sorted(statements)


@each_row()
def test_no_cell_is_empty(row: list[str]) -> None:
    """Catches a hole, and a reason without a reason."""
    assert len(row) == 5
    assert all(len(cell.removeprefix("no figure:").strip()) > 5 for cell in row)


@each_row()
def test_named_code_exists(row: list[str]) -> None:
    """Catches a class that was renamed."""
    names = re.findall(r"`([\w.]+)`", row[2])
    assert names
    assert re.sub(r"`[\w.]+`(, )?", "", row[2]) == ""
    for name in names:
        found: Any = reticent
        for part in name.split("."):
            found = _attribute(found, part, name)


def _attribute(found: Any, part: str, name: str) -> Any:
    if not hasattr(found, part) and hasattr(found, "__path__"):
        __import__(f"{found.__name__}.{part}")
    assert hasattr(found, part), f"reticent.{name} does not exist"
    return getattr(found, part)


@each_row()
def test_named_tests_exist(row: list[str]) -> None:
    """Catches a test that was renamed or deleted."""
    named = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", row[3])
    assert named
    assert re.sub(r"`tests/[\w/]+\.py::\w+`(, )?", "", row[3]) == ""
    for path, test in named:
        assert (REPOSITORY / path).exists(), path
        assert f"def {test}(" in (REPOSITORY / path).read_text(), f"{path}::{test}"


@each_row()
def test_figures_exist_or_say_why_not(row: list[str]) -> None:
    """Catches a link to nowhere."""
    figures = re.findall(r"\[[^\]]+\]\(([^)]+)\)", row[4])
    if not figures:
        assert row[4].startswith("no figure: ")
    for figure in figures:
        assert (PAGE.parent / figure).exists(), figure
