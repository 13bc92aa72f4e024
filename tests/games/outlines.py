"""Drawings as text: a line for each element of an SVG, with its class and where it is."""

from xml.etree import ElementTree


def outline(svg: str) -> list[str]:
    """The elements of *svg* in order: class or tag, place, size and text.

    Of rectangles the corner and the size, of texts the middle and the size of the font, of circles
    the middle and the radius, of paths and lines the points; of groups the other attributes.
    """
    return [_described(each) for each in ElementTree.fromstring(svg).iter() if _tag(each) in SHAPES]


def _tag(element: ElementTree.Element) -> str:
    return element.tag.rpartition("}")[2]


SHAPES = {
    "rect": "{x},{y} {width}x{height}",
    "text": "{x},{y} {font-size}px",
    "circle": "{cx},{cy} r{r}",
    "path": "{d}",
    "polyline": "{points}",
    "line": "{x1},{y1} {x2},{y2}",
    "g": "{data-at} {data-drop}",
}


def _described(element: ElementTree.Element) -> str:
    given = {"data-at": "", "data-drop": "", "x": "0", "y": "0"} | dict(element.attrib)
    words = given.get("class", _tag(element)), SHAPES[_tag(element)].format_map(given)
    return " ".join(" ".join((*words, element.text or "")).split())
