export default `
A template is a promise: if your card keeps to it, the printer keeps to it too. Most trouble with printed cards comes from a template that was measured from a photograph, drawn in pixels of an unknown size, or made for a different printer. Here are the sizes that matter, what the lines on them mean, and how to get a blank one out of Tuckbox in a minute.

{figure:templates}

## The three sizes worth knowing

There are dozens of card sizes, but three of them cover most games, because sleeves, boxes and printers exist for them.

**Poker**, 63.5 × 88.9 mm, is two and a half by three and a half inches. If you have no reason for another size, take this one. Nine of them fit on a sheet of A4 or Letter, every print service offers it, and sleeves are sold in every game shop. Its European cousin of 63 × 88 mm differs by less than a millimetre; the same sleeves fit, but a printer’s template does not, so choose before you draw.

**Tarot**, 69.85 × 120.65 mm, is for cards that are looked at rather than held in a fan: characters, locations, reference cards. Four fit on A4. There is room for a large picture and a paragraph of text, and nobody will want to hold seven of them.

**Mini**, 44.45 × 63.5 mm, is half a poker card and the size of most resource and damage cards. A picture and a number, or a title and six words; more than that cannot be read across a table. Sixteen fit on A4.

| Size | Millimetres | Inches | Pixels at 300 dpi | On A4 |
| Poker | 63.5 × 88.9 | 2.5 × 3.5 | 750 × 1050 | 9 |
| Poker (Euro) | 63 × 88 | 2.48 × 3.46 | 744 × 1039 | 9 |
| Bridge | 57.15 × 88.9 | 2.25 × 3.5 | 675 × 1050 | 9 |
| Tarot | 69.85 × 120.65 | 2.75 × 4.75 | 825 × 1425 | 4 |
| Mini | 44.45 × 63.5 | 1.75 × 2.5 | 525 × 750 | 16 |
| Square | 63.5 × 63.5 | 2.5 × 2.5 | 750 × 750 | 12 |

The pixels are without bleed. Do not use them to decide how large your card is; use them to check that a file has come out right.

## What the lines mean

Every serious template has three rectangles, one inside the other.

{figure:bleed}

The outermost is the **bleed**. Cutting machines stray by up to a millimetre or two, so whatever touches the edge of the card has to go on beyond it. An eighth of an inch, 3.175 mm, is what most printers ask for. Colour that ends exactly at the edge leaves a white hairline on every third card.

The middle one is the **trim**: where the card should be cut.

The innermost is the **safe area**, another eighth of an inch inside. Nothing that must be read comes closer to the edge than this. A thin frame is the most common mistake: set a millimetre inside the trim, it shows every tenth of a millimetre by which the knife was off. Either make the frame as thick as the safe margin, so that nobody can tell, or leave it away.

## Getting a blank template

1. Go to [Layouts](/layouts) and choose **New layout**.
2. In the inspector, pick the size. The list has twenty-one; “Custom” takes any.
3. The canvas shows trim and safe area. Put a rectangle over the whole card, into the bleed, and give it your background colour.
4. Connect the layout to a component, open **Export**, and choose A4 or Letter.

You get a PDF with crop marks, with as many cards to the page as fit. Print it at 100 %. A print dialogue that says “fit to page” shrinks everything by three to five per cent, and your cards will not fit their sleeves. Measure one printed card with a ruler before you print forty sheets.

## Paper, if you print at home

Office paper is fine for a first test if you put it into sleeves in front of old playing cards; that is the fastest prototype there is. For cards that are held bare, take card of 200 to 300 grams per square metre, check that your printer’s straight paper path takes it, and let the ink dry for an hour before cutting. Rounded corners are not a luxury: square corners bend within one evening, and a bent corner is a marked card. A corner punch with a radius of 3 mm costs as much as two boxes of sleeves.

## A template is not a design

Start with grey boxes. Decide what has to be read first, second and third, and give each of them a place that never moves from card to card. Players learn *where* to look long before they learn what is written there. When the grey boxes work at arm’s length, the pictures will too.

If you would rather begin from your own list of cards than from a blank sheet, read [From a spreadsheet to a deck](/blog/from-spreadsheet-to-deck).
`;
