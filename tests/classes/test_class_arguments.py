"""Would catch: a bad instance, label or parameter that goes through, changes anything, or is refused in riddles."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable

import numpy as np
import pytest
from closed_forms import LARGE

from reticent.classes import (
    AllFunctions,
    Conjunctions,
    ExactlySparse,
    FiniteClass,
    HypothesisClass,
    Intervals,
    MonotoneConjunctions,
    OracleClass,
    Parities,
    Points,
    ProductClass,
    Sparse,
    Thresholds,
    decomposition_dimension,
    embedded_thresholds,
    essential_hypotheses,
    is_irreducible,
    project,
    shattered_set,
    shattered_tree,
    threshold_dimension,
    vc_dimension,
)
from reticent.errors import InputError, ParameterError

ON_A_LINE = [Points(5), Thresholds(5), Intervals(5), Sparse(5, 2), ExactlySparse(5, 2), AllFunctions(5)]
ON_BITS = [Parities(3), Parities(3, affine=True), Conjunctions(3), MonotoneConjunctions(3)]
PRODUCT = ProductClass(Points(5), Parities(3))
ORACLE = OracleClass([1, 2, 4], lambda seen: 3 - len(seen))


def name(value: object) -> str:
    return repr(value)[:40]


@pytest.mark.parametrize("version_space", ON_A_LINE, ids=name)
@pytest.mark.parametrize(
    "x", [-1, 5, 10**30, 2.0, True, "2", None, (2,), np.float64(2), np.array([1, 2]), np.int8(-1)], ids=name
)
def test_an_instance_that_is_no_number_of_the_line(version_space: HypothesisClass, x: object) -> None:
    refused(version_space, x, "is not in the domain; give a whole number from 0 to 4.")


@pytest.mark.parametrize("version_space", ON_BITS, ids=name)
@pytest.mark.parametrize(
    "x",
    [
        (),
        (0, 1),
        (0, 1, 1, 0),
        (0, 1, 2),
        (0, 1, 0.5),
        (0, 1, -1),
        3,
        10**30,
        [0, 1, 1],
        "011",
        None,
        (0, "1", 1),
        np.array([0, 1, 256]),
        np.array([[0, 1, 1]]),
        np.array([0.0, 1.0, 1.0]),
        np.array([0, 1]),
    ],
    ids=name,
)
def test_an_instance_that_is_no_vector_of_bits(version_space: HypothesisClass, x: object) -> None:
    refused(version_space, x, "is not in the domain; give a tuple of 3 zeros and ones.")


@pytest.mark.parametrize(
    "x", [0, (2, 0), (-1, 0), (0,), (0, 1, 2), [0, 1], None, ("0", 1), (0.0, 1), (True, 1), ([], 1)], ids=name
)
def test_an_instance_of_no_part_of_a_product(x: object) -> None:
    refused(
        PRODUCT,
        x,
        "is not in the domain; give a pair (k, x) of a part's number, from 0 to 1, and an instance of that part.",
    )


@pytest.mark.parametrize(
    ("x", "sentence"), [((0, 5), "whole number from 0 to 4."), ((1, 5), "a tuple of 3 zeros and ones.")]
)
def test_an_instance_that_its_part_does_not_know(x: object, sentence: str) -> None:
    refused(PRODUCT, x, sentence)


def test_an_instance_that_an_oracle_does_not_know() -> None:
    refused(ORACLE, 3, "the instance 3 is not in the domain; give one of (1, 2, 4).")


def refused(version_space: HypothesisClass, x: object, sentence: str) -> None:
    before = repr(version_space)
    for call in (lambda: version_space.restrict(x, True), lambda: version_space.soa(x)):
        with pytest.raises(InputError) as error:
            call()
        assert str(error.value).startswith("the instance ")
        assert str(error.value).endswith(sentence)
        assert len(str(error.value)) < 200
    assert repr(version_space) == before


@pytest.mark.parametrize("version_space", [*ON_A_LINE, *ON_BITS, PRODUCT, ORACLE], ids=name)
@pytest.mark.parametrize(
    "y", [2, -1, 0.5, 1.0, float("nan"), "1", None, (), np.array([0, 1]), np.float64(0)], ids=name
)
def test_a_label_that_is_none(version_space: HypothesisClass, y: object) -> None:
    before = repr(version_space)
    with pytest.raises(InputError, match=r"^the label is .*; give 0 or 1\.$"):
        version_space.restrict(version_space.instances[0], y)
    assert repr(version_space) == before


@pytest.mark.parametrize("version_space", [*ON_A_LINE, *ON_BITS, PRODUCT, ORACLE], ids=name)
def test_labels_and_instances_may_be_numpys(version_space: HypothesisClass) -> None:
    x = version_space.instances[-1]
    plain = version_space.restrict(x, True)
    for y in (1, np.True_, np.int64(1), np.uint8(1)):
        assert version_space.restrict(x, y) == plain
    if version_space in ON_A_LINE:
        assert version_space.restrict(np.int64(x), True) == plain
        assert version_space.soa(np.int64(x)) == version_space.soa(x)
    if version_space in ON_BITS:
        for kind in (bool, np.int64, np.uint8):
            assert version_space.restrict(np.array(x, dtype=kind), True) == plain
            assert version_space.soa(np.array(x, dtype=kind)) == version_space.soa(x)


CALLS: dict[str, tuple[Callable[[], object], str]] = {
    "no instance": (
        lambda: Points(0),
        "n_instances is 0; give a whole number from 1 to 340282366920938463463374607431768211456.",
    ),
    "half an instance": (
        lambda: Thresholds(2.5),
        "n_instances is 2.5; give a whole number from 1 to 340282366920938463463374607431768211456.",
    ),
    "a number as text": (
        lambda: Intervals("6"),
        "n_instances is '6'; give a whole number from 1 to 340282366920938463463374607431768211456.",
    ),
    "a truth value": (
        lambda: AllFunctions(True),
        "n_instances is True; give a whole number from 1 to 340282366920938463463374607431768211456.",
    ),
    "more ones than instances": (lambda: Sparse(3, 4), "n_ones is 4; give a whole number from 0 to 3."),
    "fewer ones than none": (lambda: ExactlySparse(3, -1), "n_ones is -1; give a whole number from 0 to 3."),
    "no variable": (lambda: Parities(0), "n_variables is 0; give a whole number from 1 to 4096."),
    "variables that are none": (
        lambda: Conjunctions(None),
        "n_variables is None; give a whole number from 1 to 4096.",
    ),
    "fewer variables than none": (
        lambda: MonotoneConjunctions(-3),
        "n_variables is -3; give a whole number from 1 to 4096.",
    ),
    "no part": (lambda: ProductClass(), "a product needs at least one part, and hypothesis classes only."),
    "a part that is none": (
        lambda: ProductClass(Points(2), 3),
        "a product needs at least one part, and hypothesis classes only.",
    ),
}


@pytest.mark.parametrize("number", [10**40, 10**5000], ids=["41 digits", "5,001 digits"])
@pytest.mark.parametrize(
    "family",
    [
        Points,
        Thresholds,
        Intervals,
        AllFunctions,
        lambda n: Sparse(n, 2),
        Parities,
        Conjunctions,
        MonotoneConjunctions,
    ],
)
def test_a_class_that_is_too_large(family: Callable[[int], HypothesisClass], number: int) -> None:
    """Catches an OverflowError or a MemoryError, now or at the first question."""
    with pytest.raises(ParameterError, match=r"^n_\w+ is .*; give a whole number from 1 to \d+\.$") as error:
        family(number)
    assert len(str(error.value)) < 200


def test_a_product_with_more_instances_than_a_length_can_be() -> None:
    assert ProductClass(Points(10**30), Points(2)).instances[-1] == (1, 1)
    product = ProductClass(Parities(70), Points(2))
    assert product.instances[-1] == (1, 1)
    assert product.littlestone_dimension() == 71
    assert product.root(71) == (0, (*[0] * 69, 1))


@pytest.mark.parametrize("case", CALLS)
def test_a_bad_parameter(case: str) -> None:
    call, sentence = CALLS[case]
    with pytest.raises(ParameterError) as error:
        call()
    assert str(error.value) == sentence


@pytest.mark.parametrize("version_space", [*LARGE.values(), ORACLE], ids=name)
def test_classes_do_not_change(version_space: HypothesisClass) -> None:
    """Catches a class that could be changed behind the back of whoever remembers it."""
    with pytest.raises(AttributeError):
        version_space.instances = ()
    with pytest.raises(AttributeError):
        version_space.anything = 1
    before = hash(version_space)
    version_space.littlestone_dimension()
    version_space.restrict(version_space.instances[0], True)
    assert hash(version_space) == before


@pytest.mark.parametrize("version_space", LARGE.values(), ids=name)
def test_copies_are_equal_and_go_on_in_the_same_way(version_space: HypothesisClass) -> None:
    x = version_space.instances[1]
    for there in (version_space, version_space.restrict(x, False), version_space.restrict(x, True)):
        for again in (copy.copy(there), copy.deepcopy(there), pickle.loads(pickle.dumps(there))):
            assert again == there
            assert hash(again) == hash(there)
            assert again.restrict(x, True) == there.restrict(x, True)
            assert again.soa(x) == there.soa(x)
    assert len({version_space, version_space.restrict(x, True), copy.copy(version_space)}) == 2


def test_different_classes_differ() -> None:
    """Catches an equality that looks at the numbers only."""
    classes = [*ON_A_LINE, *ON_BITS, PRODUCT, ORACLE, Intervals(5, empty=False), Sparse(5, 5), Points(6)]
    assert len(set(classes)) == len(classes)


@pytest.mark.parametrize(
    ("version_space", "names"),
    [
        (Points(2), ["point at 0", "point at 1"]),
        (Thresholds(1), ["threshold at 0", "threshold at 1"]),
        (Intervals(2), ["empty interval", "interval 0..0", "interval 0..1", "interval 1..1"]),
        (Sparse(2, 1), ["all zero", "ones at {0}", "ones at {1}"]),
        (Parities(2, affine=True), ["0", "x1", "x0", "x0 + x1", "1", "x1 + 1", "x0 + 1", "x0 + x1 + 1"]),
        (MonotoneConjunctions(2), ["true", "x1", "x0", "x0 and x1"]),
        (Conjunctions(1), ["true", "x0", "not x0", "false"]),
        (ProductClass(Points(1), Parities(1)), ["(point at 0, 0)", "(point at 0, x0)"]),
        (
            OracleClass((1, 2), lambda seen: 2 - len({x for x, _ in seen})),
            ["labels 00", "labels 01", "labels 10", "labels 11"],
        ),
    ],
    ids=name,
)
def test_hypotheses_say_what_they_are(version_space: HypothesisClass, names: list[str]) -> None:
    assert [repr(h) for h in version_space.members()] == names
    again = set(version_space.members())
    assert all(h in again for h in version_space.members())


TABLE = FiniteClass([[0, 1], [1, 1]])


@pytest.mark.parametrize("depth", [1.5, None, "1", True, 1.0], ids=name)
def test_a_depth_that_is_no_whole_number(depth: object) -> None:
    """Catches an answer for half a level, and a bare TypeError."""
    positive = Intervals(5).restrict(2, True)
    for cls in (*ON_A_LINE, *ON_BITS, PRODUCT, ORACLE, TABLE, positive):
        asks: list[Callable[[object], object]] = [cls.at_least, cls.root]
        if depth is not None:
            asks.append(lambda depth, cls=cls: shattered_tree(cls, depth))
        for ask in asks:
            with pytest.raises(ParameterError) as error:
                ask(depth)
            assert str(error.value) == f"depth is {depth!r}; give a whole number."


def test_a_depth_may_be_numpys_and_huge() -> None:
    for cls in (*ON_A_LINE, *ON_BITS, PRODUCT, ORACLE, TABLE):
        assert cls.at_least(np.int64(1))
        assert not cls.at_least(10**30)
        assert cls.root(np.int64(1)) == cls.root(1)


SEARCHES: list[Callable[..., object]] = [
    vc_dimension,
    shattered_set,
    threshold_dimension,
    embedded_thresholds,
    lambda cls: is_irreducible(cls, 1),
    lambda cls: decomposition_dimension(cls, 1),
    lambda cls: essential_hypotheses(cls, 1),
]


@pytest.mark.parametrize("search", SEARCHES)
def test_searches_ask_for_a_table(search: Callable[..., object]) -> None:
    """Catches an AttributeError about what is inside."""
    with pytest.raises(ParameterError) as error:
        search(Thresholds(3))
    assert str(error.value) == (
        "cls is Thresholds(3, 0, 3) and no table; give a FiniteClass, such as project(cls, points)."
    )


@pytest.mark.parametrize("cls", [Thresholds(5), TABLE], ids=name)
def test_points_to_project_on(cls: HypothesisClass) -> None:
    """Catches a generator that is empty at its second use, and points that are none."""
    assert project(cls, (x for x in (0, 1))) == project(cls, [0, 1]) == project(cls, np.arange(2))
    with pytest.raises(InputError, match=r"^points: 3 is no sequence of instances; give a list or a tuple\.$"):
        project(cls, 3)
    with pytest.raises(InputError, match=r"^points: a set has no order; give a list or a tuple\.$"):
        project(cls, {0, 1})
    with pytest.raises(InputError, match=r"^(the class is empty, or no point is given|points: 0 given); give "):
        project(cls, [])


def test_what_cannot_be_projected() -> None:
    with pytest.raises(ParameterError, match=r"^hypotheses: 3 is no hypothesis class; give one\.$"):
        project(3, [0])
    with pytest.raises(InputError, match="the class is empty"):
        project(Points(3).restrict(0, True).restrict(1, True), [0])


def test_an_oracle_on_an_array() -> None:
    """Catches classes that cannot be compared, or kept in a set."""
    one, other = (OracleClass(np.arange(5), ORACLE._formula) for _ in range(2))
    assert len({one, other}) == 1
    assert one.restrict(np.int64(2), True) == other.restrict(2, True) != one
