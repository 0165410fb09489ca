"""Would catch any other module that reaches for randomness of its own."""

import ast
from pathlib import Path

import pytest

import reticent.randomness

DOOR = Path(reticent.randomness.__file__).parent
MODULES = sorted(path for path in DOOR.parent.rglob("*.py") if DOOR not in path.parents)
#: Naming the type in a signature draws nothing: a Generator cannot be built without a bit generator.
ALLOWED = {"numpy.random.Generator"}
FORBIDDEN = ("random", "secrets", "ssl", "uuid", "numpy.random", "os.urandom", "os.getrandom", "scipy.stats")


def random_names(tree):
    """Dotted names of imports and attribute chains that lead to a random generator, aliases resolved."""
    aliases, names = {}, []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for name in node.names:
                names.append(name.name)
                aliases[name.asname or name.name.split(".")[0]] = (
                    name.name if name.asname else name.name.split(".")[0]
                )
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for name in node.names:
                names.append(f"{node.module}.{name.name}")
                aliases[name.asname or name.name] = f"{node.module}.{name.name}"
    inner = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and id(node) not in inner:
            chain, at = [node.attr], node.value
            while isinstance(at, ast.Attribute):
                chain.append(at.attr)
                at = at.value
            if isinstance(at, ast.Name) and at.id in aliases:
                names.append(".".join([aliases[at.id], *reversed(chain)]))
    forbidden = [name for name in names if any(name == bad or name.startswith(f"{bad}.") for bad in FORBIDDEN)]
    return [name for name in forbidden if name not in ALLOWED]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(DOOR.parent)))
def test_no_other_module_touches_a_random_generator(path):
    assert random_names(ast.parse(path.read_text())) == []


@pytest.mark.parametrize(
    "code",
    [
        "import random",
        "import ssl as s",
        "from secrets import token_bytes",
        "import numpy as np\nnp.random.default_rng()",
        "import numpy as np\nnp.random.Generator(np.random.PCG64())",
        "import numpy as np\nr = np.random",
        "import numpy\nx = numpy.random.rand()",
        "from numpy import random as r",
        "from numpy.random import default_rng",
        "import os\nos.urandom(3)",
        "from os import urandom",
        "def f():\n    import random",
    ],
)
def test_the_search_finds_each_way_in(code):
    assert random_names(ast.parse(code))


def test_the_search_lets_other_names_pass():
    assert (
        random_names(ast.parse("import numpy as np\nfrom reticent.randomness import Source\nnp.sum(randomness)"))
        == []
    )
