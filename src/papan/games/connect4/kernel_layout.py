"""Where the kernel finds what it needs: the numbers of masks, words, and fields of frames."""

COLUMNS, BOTTOMS, CELLS, TOPS, LOWER, UPPER, FIRST, CENTRE, WHOLE = range(9)
"""The masks: each lane's column; the lowest cells; all cells; the unused bits above the columns;
the lower and the upper cell of each pair; the lowest bit; how central each lane's column is; and
from WHOLE on each column with its unused bit."""

CHECK, FRAMES, MOVE, MIRRORED, STEP, WIDTH = range(3, 9)
"""The words after those of `papan.engine.control`: the node at which to look up; the frames; a
move that reached its goal, the root's at the end; whether mirror images are to be found; the bits
from one column to the next; the number of columns."""
TRANSPOSITIONS, KEY_BITS, TAG_BITS, MOST_BUCKETS, GROW_AT, BEING_SEARCHED = range(9, 15)
"""The table: where it is, the bits of a key, those that its entries hold; how many buckets it may
have, and the node at which it grows. The positions that other threads search, if there are any."""

MINE, THEIRS, MY_WINS, THEIR_WINS, LEFT, LOW, HIGH, KEY, REST = range(9)
"""What a frame holds for each move of a position: the stones of the mover and of the rival; the
cells that would win for them; the number of empty cells; bounds of the value; the key."""
SAME, ORDER = 9, 10
"""The moves after which the same seat is to move again, one bit each; the moves in the order of
search, with room for those that are put off."""
FRAME = 12

SEARCH_MARKS = 1024

BUCKET = 8
"""The words of a bucket: four entries of two words, one line of the cache."""
SMALLEST_TRANSPOSITIONS = 10
"""The table begins with so many bits of buckets, and grows with the search."""
DATA_BITS = 19
