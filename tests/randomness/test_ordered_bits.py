"""Would catch words lost, repeated or reordered when scalar and block uses of one stream alternate."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scripted_bits import ScriptedBits


@given(
    st.lists(
        st.one_of(
            st.tuples(st.just("take"), st.just(1)),
            st.tuples(st.just("take_many"), st.integers(0, 900)),
            st.tuples(st.just("peek"), st.integers(1, 900)),
        ),
        max_size=20,
    )
)
def test_every_way_of_asking_takes_the_same_words_in_the_same_order(calls):
    words = np.random.default_rng(0).integers(0, 2**64, 20_000, np.uint64).tolist()
    bits = ScriptedBits(words)
    taken = []
    for call, count in calls:
        if call == "take":
            taken.append(bits.take())
        elif call == "take_many":
            taken += bits.take_many(count).tolist()
            assert len(taken) >= count
        else:
            seen = bits.peek(count)
            assert 1 <= len(seen) <= count
            used = len(seen) // 2
            taken += seen[:used].tolist()
            bits.skip(used)
    assert taken == words[: len(taken)]
    assert bits.left == len(words) - len(taken)
