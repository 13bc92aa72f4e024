"""Every sentence about a move is true: checked by the rules and by brute force alone.

Nothing here uses the code that finds the sentences.
"""

import pytest

for _name in ("boards", "lines", "boxes", "marks", "pairs", "truth"):
    pytest.register_assert_rewrite(f"tests.sentences.{_name}")
