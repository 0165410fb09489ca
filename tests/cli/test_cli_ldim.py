"""Would catch: wrong figures, a tree that does not fit its class, and errors with the wrong exit code."""

import json
from pathlib import Path

import pytest

from cli.commands import only_sentence, reticent
from reticent.classes import class_names, named


def figures(*arguments):
    result = reticent("ldim", *arguments, "--json", "-")
    assert (result.exit_code, result.stderr) == (0, "")
    return json.loads(result.stdout)


@pytest.fixture
def three(here):
    (here / "three.csv").write_text("a,b,c\n1,0,0\n0,1,0\n0,0,1\n")
    return "three.csv"


def test_the_page_has_every_figure():
    result = reticent("ldim", "intervals:6")
    assert (result.exit_code, result.stderr) == (0, "")
    lines = [" ".join(line.split()) for line in result.stdout.splitlines()]
    assert lines[0] == "intervals:6"
    assert lines[1:] == [
        "hypotheses 22",
        "instances 6",
        "Littlestone dimension 4",
        "found by a formula, checked on small cases and not proved",
        "VC dimension 2",
        "threshold dimension 6",
    ]


@pytest.mark.parametrize(
    ("text", "hypotheses", "dimension", "vc"),
    [
        ("points:3", 3, 1, 1),
        ("thresholds:1000000", 1_000_001, 19, None),
        ("sparse:1000,3", 166_667_501, 3, None),
        ("conjunctions:3", 28, 4, 3),
        ("decision-lists:2", 14, 3, 3),
        ("parities:70", None, 70, None),
        ("cube:100000", None, 100_000, None),
        ("three.csv", 3, 1, 1),
    ],
)
def test_json_has_the_same_for_files_and_names(three, text, hypotheses, dimension, vc):
    report = figures(text)
    assert (report["hypotheses"], report["littlestone_dimension"], report["vc_dimension"]) == (
        hypotheses,
        dimension,
        vc,
    )
    assert report["found_by"] == ("exact search" if text in (three, "decision-lists:2") else "a formula")
    assert report["seconds"] >= 0
    assert "tree" not in report


def test_class_is_another_way_to_give_a_name(three):
    first, second = figures("--class", "points:3"), figures("points:3")
    assert {**first, "seconds": 0} == {**second, "seconds": 0}
    assert reticent("ldim", "--class", three).exit_code == 2


def test_numbers_too_large_for_json_have_logarithms():
    report = figures("cube:100000")
    assert (report["hypotheses"], report["log2_hypotheses"], report["instances"]) == (None, 100_000, 100_000)
    assert "about 2^100000" in reticent("ldim", "cube:100000").stdout


@pytest.mark.parametrize(
    ("text", "dimension"),
    [
        ("thresholds:9223372036854775808", 63),
        ("intervals:99999999999999999999999999", 171),
        ("sparse:10000000000000000000000,2", 2),
        ("cube:1000000000000000000000000", 10**24),
    ],
)
def test_domains_longer_than_a_length_can_be(text, dimension):
    """Catches a bare OverflowError."""
    report = figures(text)
    assert (report["instances"], report["littlestone_dimension"]) == (None, dimension)


def test_sizes_that_take_long_to_work_out_are_left_out():
    """Catches a page that never comes: here the sum of binomials would have a hundred million bits."""
    report = figures("sparse:1000000000,100000000")
    assert (report["hypotheses"], report["log2_hypotheses"]) == (None, None)
    assert report["littlestone_dimension"] == 100_000_000
    assert "hypotheses             not counted: too many" in reticent("ldim", "cube:1000000000").stdout


def test_the_default_work_limit_holds_for_long_tables():
    """Catches steps that are not counted: they took minutes and gigabytes for 65,536 hypotheses."""
    report = figures("majority:16")
    assert (report["littlestone_dimension"], report["vc_dimension"], report["threshold_dimension"]) == (16, 16, None)
    assert report["threshold_dimension_between"] == [0, 17]


def test_what_is_too_large_to_list_says_so():
    assert "not looked for: too large to list" in reticent("ldim", "thresholds:1000000").stdout


def leaves(tree, path=()):
    if "hypothesis" in tree:
        yield path, tree["hypothesis"]
        return
    for label in (0, 1):
        yield from leaves(tree[str(label)], (*path, (tree["instance"], bool(label))))


@pytest.mark.parametrize("text", ["intervals:6", "halfspaces:2", "conjunctions:2"])
def test_the_tree_in_json_is_shattered(text):
    report = figures(text, "--tree")
    found = list(leaves(report["tree"]))
    assert len(found) == 2 ** report["littlestone_dimension"]
    start = named(text)
    for path, name in found:
        version_space = start
        for x, y in path:
            version_space = version_space.restrict(tuple(x) if isinstance(x, list) else x, y)
        assert name in map(str, version_space.members())


def test_the_drawn_tree_has_a_line_for_each_hypothesis():
    result = reticent("ldim", "intervals:6", "--tree")
    assert result.exit_code == 0
    assert result.stdout.count("interval") == 1 + 16  # with the class's own name
    shallow = reticent("ldim", "thresholds:1000000", "--tree", "--depth", "2")
    assert shallow.stdout.count("threshold at") == 4
    assert "there are deeper ones, up to 19" in shallow.stdout


def test_a_picture_is_written(three, here):
    result = reticent("ldim", three, "--plot", "tree.png", "--json", "r.json")
    assert result.exit_code == 0
    assert (here / "tree.png").read_bytes().startswith(b"\x89PNG")
    assert json.loads((here / "r.json").read_text())["littlestone_dimension"] == 1
    assert result.stdout.endswith("Written\n  r.json\n  tree.png\n")


def test_a_work_limit_ends_with_1_and_the_bracket(here):
    rows = [[(i * i * 7 + i * j * j + j * 5) % 11 % 2 for j in range(30)] for i in range(200)]
    (here / "hard.csv").write_text("\n".join(",".join(map(str, row)) for row in [range(100, 130), *rows]) + "\n")
    result = reticent("ldim", "hard.csv", "--work-limit", "10", "--json", "r.json")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "the Littlestone dimension lies between" in only_sentence(result.stderr)
    assert "allow more with --work-limit" in result.stderr
    assert not (here / "r.json").exists()


@pytest.mark.parametrize(
    ("arguments", "code", "named"),
    [
        (("point:3",), 2, "the names are points:N"),
        (("points:x",), 2, "points:N needs a whole number"),
        (("cube:0",), 2, "n_instances is 0"),
        (
            ("thresholds:" + "9" * 39,),
            2,
            "give a whole number from 1 to 340282366920938463463374607431768211456.",
        ),
        (
            ("sparse:" + "9" * 39 + ",2",),
            2,
            "give a whole number from 1 to 340282366920938463463374607431768211456.",
        ),
        (("conjunctions:1000000000000000000000000000000",), 2, "give a whole number from 1 to 4096."),
        ((), 2, "name one class"),
        (("points:3", "--class", "points:3"), 2, "name one class"),
        (("--class", "x.csv"), 2, "--class"),
        (("nowhere.csv",), 1, "no such file"),
        (("bad.csv",), 1, "line 3"),
        (("points:3", "--depth", "1"), 2, "--tree"),
        (("points:3", "--tree", "--depth", "2"), 2, "dimension is 1"),
        (("points:3", "--plot", "tree.gif"), 2, ".png, .svg, .pdf"),
        (("bad.csv", "--plot", "bad.csv"), 2, "ends in none"),
        (("bad.csv", "--json", "bad.csv"), 2, "named twice"),
        (("points:3", "--work-limit", "-1"), 2, "work-limit"),
    ],
)
def test_bad_calls(here, arguments, code, named):
    (here / "bad.csv").write_text("a,b\n0,1\n0,2\n")
    result = reticent("ldim", *arguments)
    assert (result.exit_code, result.stdout) == (code, "")
    assert named in result.stderr.splitlines()[-1]


def test_the_documentation_shows_what_is_printed():
    page = (Path(__file__).parents[2] / "docs" / "littlestone.md").read_text()
    assert reticent("ldim", "intervals:6", "--tree").stdout in page


def test_help_names_every_class_and_has_an_example():
    text = reticent("ldim", "--help").stdout
    assert all(name in text for name in class_names())
    assert "reticent ldim intervals:6 --tree" in text
    assert "ldim" in reticent("--help").stdout
