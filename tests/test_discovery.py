"""What is found by folder."""

from papan import catalog


def test_no_two_agents_have_the_same_name_and_nothing_of_papan_is_broken() -> None:
    catalog.check_files()
    assert catalog.BROKEN == {}
