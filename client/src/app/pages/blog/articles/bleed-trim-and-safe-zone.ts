export default `
A card is cut out of a larger sheet by a machine that is fast, strong and slightly drunk. Everything printers say about bleed, trim and safe zones is a way of living with that. It takes ten minutes to understand and saves a reprint.

{figure:bleed}

## How a card is cut

At a print shop your cards are laid side by side on a sheet, printed, stacked by the hundred and cut. The paper has stretched a little from the damp and shrunk a little from the heat. The stack leans. The blade bends as it goes down. Each of these is a fraction of a millimetre, and on a bad day they add up to one or even two. Nobody can remove the error; everybody can agree on how much of it there may be.

At home it is you with a knife and a ruler at half past eleven. The error is larger.

## Bleed: paint beyond the edge

If the red of your card ends exactly where the cut should be, then a cut that strays outwards shows a hairline of white paper. So the red has to go on past the edge. The strip that is printed only to be cut away is the bleed.

- Most card printers ask for **3.175 mm**, an eighth of an inch, on every side.
- Some measure in pixels at 300 dots per inch: 37 or 38 pixels is the same thing. One large service uses 36 pixels, which is 3.048 mm. Believe their template, not your arithmetic.
- Office printers and home cutting: 2 to 3 mm is plenty.

The bleed must hold *continued* picture, not a frame of another colour and not a mirrored edge with a face in it. In Tuckbox the card’s own colour and picture reach into the bleed by themselves. For a band along the top, pull the shape past the edge of the card until it snaps at the bleed.

## Trim: where the card ends

The trim is the size you talk about: a poker card is 63.5 × 88.9 mm *trimmed*. In a file with bleed it is 69.85 × 95.25 mm. When a printer rejects a file for having the wrong size, nine times out of ten one side speaks of trim and the other of the file.

> A quick check: at 300 dots per inch a poker card has 750 × 1050 pixels trimmed, and 825 × 1125 with an eighth of an inch all round. If your picture has other numbers, find out why before you send it.

## Safe zone: keep what matters inside

The cut can also stray inwards. What lies within the last three millimetres may be cut off, and even if it is not, it looks as if it might fall off the card. Titles, numbers, icons and rules stay inside the safe zone, another 3.175 mm in from the trim.

Text that touches the safe line on one card and is short on the next gives you ragged corners. Leave more than the minimum: 5 mm on a poker card looks calm, 3 mm looks nervous.

## Frames are hard

A frame is a ruler printed on your card. If it stands 2 mm from the edge and the cut is off by 0.7 mm, one side has 1.3 mm and the other 2.7 mm: twice as much, and everybody sees it. There are four ways out.

1. **Make it thick.** A frame that begins in the bleed and ends 5 mm inside the card can be off by a millimetre without anybody noticing.
2. **Open it.** Lines along top and bottom only, or corners only, give the eye nothing to compare.
3. **Move it in.** A frame 7 mm from the edge reads as part of the picture.
4. **Leave it away.** Colour that runs off the card on all sides is the most forgiving design there is.

## Backs are harder

Fronts are allowed to differ; backs are not. If a back is off by a millimetre, that card is marked, and someone will notice which one it is. So a back should have a pattern without a frame, without a centre that sits near an edge, and the same upside down. If you print at home on both sides, the two sides will not meet exactly either: make the printed back a little larger than the card, so that no white shows.

## Corners

Rounded corners are punched after the cut, with a radius of 2.5 to 3.2 mm. An icon in the very corner of the safe zone loses its outer tip to the curve. Keep corners empty, or move icons inwards along the diagonal.

## Before you send it

- Background reaches the bleed on all four sides.
- Nothing that must be read lies outside the dashed line.
- No frame thinner than five millimetres near the edge.
- Pictures have at least 300 dots per inch at the size at which they are printed; a poker card’s full picture needs 825 × 1125 pixels.
- One card printed at home, cut along the marks, and put into a sleeve. If it fits, everything else will.

The editor draws trim and safe zone for you, and [Export](/docs) prints crop marks outside the bleed, so that no line ends up on a card. What it cannot do is resist the temptation of a thin golden frame. That is up to you.
`;
