"""Specs read back what they wrote."""

from dataclasses import dataclass
from typing import Literal

import pytest

from papan.core import InvalidSpecError, option
from papan.core.spec import build_from_spec, nearest, write_spec


@dataclass(frozen=True)
class Cake:
    layers: int = 3
    width: int = 20
    sugar: float = option(0.5)
    vegan: bool = option(False)
    icing: Literal["none", "lemon"] = option("none")
    note: str = option("")


KINDS = {"cake": Cake}


@pytest.mark.parametrize(
    ("spec", "cake"),
    [
        ("cake", Cake()),
        ("cake:2", Cake(2)),
        ("cake:2,25", Cake(2, 25)),
        ("cake:width=25", Cake(3, 25)),
        ("cake:2,25,0.25", Cake(2, 25, 0.25)),
        ("cake:2,vegan=true,icing=lemon", Cake(2, vegan=True, icing="lemon")),
        ("cake:sugar=inf,note=hi", Cake(sugar=float("inf"), note="hi")),
        ("cake: 2 , vegan = true", Cake(2, vegan=True)),
        ("cake:sugar=0.123456789", Cake(sugar=0.123456789)),
        ("cake:sugar=0.00001", Cake(sugar=0.00001)),
        ("cake:sugar=123456789000000000000000", Cake(sugar=1.23456789e23)),
    ],
)
def test_a_spec_names_an_object_and_reads_back(spec: str, cake: Cake) -> None:
    assert build_from_spec(spec, KINDS) == cake
    assert build_from_spec(write_spec("cake", cake), KINDS) == cake


def test_sizes_are_always_written_and_options_only_when_changed() -> None:
    assert write_spec("cake", Cake()) == "cake:3,20"
    assert write_spec("cake", Cake(vegan=True)) == "cake:3,20,vegan=true"
    assert write_spec("cake", Cake(), terse=True) == "cake"
    assert write_spec("cake", Cake(2, sugar=0.25), terse=True) == "cake:layers=2,sugar=0.25"


def test_settings_can_be_given_beside_the_spec() -> None:
    assert build_from_spec("cake:2", KINDS, width=30, vegan=True) == Cake(2, 30, vegan=True)
    assert build_from_spec("cake", KINDS, sugar=1e-7) == Cake(sugar=1e-7)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("cak", "There is no agent 'cak'; did you mean 'cake'"),
        ("", "There is no agent ''. Agents: cake"),
        ("cake:x", "layers cannot be 'x'; write it like 3"),
        ("cake:3.5", "layers cannot be '3.5'"),
        ("cake:٣", "layers cannot be '٣'"),
        ("cake:1e9", "layers cannot be '1e9'"),
        ("cake:sugar=1_0", "sugar cannot be '1_0'; write it like 0.5"),
        ("cake:sugar=1e3", "sugar cannot be '1e3'; write it like 0.5"),
        ("cake:sugar=infinity", "sugar cannot be 'infinity'; write it like 0.5"),
        ("cake:sugar=nan", "sugar cannot be 'nan'; write it like 0.5"),
        ("cake:vegan=perhaps", "vegan cannot be 'perhaps'; write it like true | false"),
        ("cake:icing=tar", "icing cannot be 'tar'; write it like none | lemon"),
        ("cake:height=3", "there is no option 'height'; the options are layers, width"),
        ("cake:1,2,3,false,none,a,7", "there is no option '7'"),
        ("cake:1,layers=2", "the option 'layers' is given twice"),
        ("cake:1, layers=2", "the option 'layers' is given twice"),
    ],
)
def test_a_mistake_is_told_with_what_would_be_right(spec: str, message: str) -> None:
    with pytest.raises(InvalidSpecError) as raised:
        build_from_spec(spec, KINDS)
    assert message in str(raised.value)
    assert raised.value.text("id") != str(raised.value)


def test_the_nearest_name_ignores_case() -> None:
    assert nearest("CONECT4", ["dots", "connect4", "onet"]) == "connect4"


def test_y7_a_whole_number_may_have_eighteen_digits_and_no_more() -> None:
    longest = "9" * 18
    assert build_from_spec(f"cake:{longest}", KINDS).layers == int(longest)
    assert build_from_spec(f"cake:-{longest}", KINDS).layers == -int(longest)
    with pytest.raises(InvalidSpecError, match="18"):
        build_from_spec(f"cake:{longest}9", KINDS)
