"""The reference deck in protograf, an open maker of cards, for the comparison: `protograf_deck.py CARDS.csv IMAGES OUT.pdf`.

The same parts as `print-page.mjs`, as far as protograf has them: photo, framed panel, art under a tint, title, icons,
wrapped text, turned text and badges. It has no shadows, no blending, no text shrunk to
fit and no images that are left out, so that every card has three icons.
"""
import sys
from pathlib import Path

from protograf import (
    Card,
    Create,
    Data,
    Deck,
    Save,
    T,
    circle,
    group,
    image,
    rectangle,
    text,
)

cards, images, out = sys.argv[1:4]
# What it would read from the command line itself.
sys.argv = sys.argv[:1]
photo = str(Path(images, "dusk.jpg"))
icon = str(Path(images, "drop.png"))

Create(
    filename=out,
    paper="A4",
    units="mm",
    margin_left=10,
    margin_right=10,
    margin_top=16,
    margin_bottom=16,
)
Data(filename=cards)
Deck(width=63, height=88, cols=3, rows=3, stroke="white", fill="white")
Card(
    "all",
    image(photo, x=0, y=0, width=63, height=88),
    rectangle(x=4, y=4, width=55, height=80, fill="#fdf6e3", stroke="#6b4f2a", stroke_width=1.7, rounding=3),
    image(photo, x=8, y=16, width=47, height=26),
    rectangle(x=8, y=16, width=47, height=26, fill="#ffcc88", transparency=60, stroke="#ffcc88"),
    text(text=T("{{title}}"), x=8, y=12, font_size=10, align="left", font_name="Times-Bold"),
    image(icon, x=50.8, y=8, width=4.2, height=4.2),
    image(icon, x=46, y=8, width=4.2, height=4.2),
    image(icon, x=41.2, y=8, width=4.2, height=4.2),
    text(
        text=T("{{rules}}"),
        x=8,
        y=44,
        width=47,
        height=34,
        wrap=True,
        font_size=7.5,
        align="justify",
        font_name="Times-Roman",
    ),
    text(text="Tuckbox reference", x=5.5, y=46, font_size=5, rotation=90),
    circle(cx=13.5, cy=80.5, radius=4.5, fill="#8c2f39", stroke="#8c2f39", label=T("{{value0}}"), label_size=16, label_stroke="white"),
    circle(cx=49.5, cy=80.5, radius=4.5, fill="#8c2f39", stroke="#8c2f39", label=T("{{value1}}"), label_size=16, label_stroke="white"),
)
Save()
