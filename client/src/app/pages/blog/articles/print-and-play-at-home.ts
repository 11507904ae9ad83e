export default `
The best prototype is the one you can hold tonight. You need a printer, a knife and half an hour; nobody needs to be impressed by it yet. Here is the way we do it, with the small things that nobody writes down because everybody learns them by wasting a cartridge.

{figure:sheet}

## What you need

- Any printer. Black and white is fine for the first three versions of a game, and it keeps you honest about colours that carry meaning.
- Paper: 80 g office paper for cards in sleeves, 160 to 250 g card for cards that are held bare.
- A steel ruler with cork or rubber under it, a knife with fresh blades, and a cutting mat. A guillotine from the office works too, if you cut five sheets at a time and not thirty.
- Sleeves and a pile of old playing cards. The paper goes in front, the old card behind it, and you have something that shuffles.

## Print it right

**Choose your paper size in the export dialogue, not in the printer’s.** A PDF made for A4 and printed on Letter is scaled down, or loses its lowest row.

**Print at 100 %.** The switch is called “actual size”, “scale: none” or “100 %”, and it is off by default in most programs. The crop marks tell you if you forgot: on an A4 sheet of nine Euro poker cards, the outermost marks are 189 mm apart. If you measure 183, the dialogue has shrunk your sheet to fit its margins.

**Print one sheet first.** Cut one card, sleeve it, look at it at arm’s length. Then print the rest.

## Cut it right

The marks are outside the cards, so that no line stays on them. Lay the ruler from mark to mark and cut *all the way across the sheet*, first all vertical cuts, then all horizontal ones; you never have to cut around a corner. Two light strokes are straighter than one strong one. Replace the blade when it begins to pull fibres, which is about every ten sheets, and much earlier than you think.

If you have many sheets, clamp three together with a bulldog clip at the edge where you are not cutting. More than three, and the lowest is off by a millimetre.

> Cut away from the hand that holds the ruler. The blade will slip once in a hundred cuts, and you are going to make a hundred cuts tonight.

## Sleeve it, or glue it

**Sleeves** are the fastest. Write changes on the paper with a pencil, and swap a single card without reprinting the sheet. For a game with several decks, use sleeves of different colours and you have backs for nothing.

**Glue** makes nicer cards and takes an evening. Print fronts, glue the sheet to card with spray adhesive, press it under books, glue the back sheet on, cut through all of it. Do not use glue that contains water: the sheet will wave, and the wave stays.

**Fold-over** needs no gluing of two sheets against each other: front and back are printed next to each other, the sheet is folded along the middle and stuck to itself. Fronts and backs meet better than with any home printer’s duplex.

## Duplex, if you must

Nobody’s printer lays both sides exactly on top of each other; a shift of one to three millimetres is normal. Three things help. Print a test sheet and hold it against the light, so that you know your printer’s shift. Flip along the **long edge**, and see that the columns of the back sheet are mirrored. And use a back without a frame that goes on beyond the card’s edge.

## Mark versions

Put a version in grey type of four points at the lower edge of every card. In Tuckbox that is a text zone with the word *v3* in it, once, in the layout. When a playtester says that card seventeen is broken, you will want to know whether they held the version you mended yesterday.

## Test it like a stranger

Give the cards to people who have not heard you explain the game. Say nothing. Note every question they ask: each is a word missing on a card or one too many. When the same question comes twice, stop the game, open the table, change the cell, and print *one* card. That is the moment when it pays that the deck is a table and not a folder of pictures.

## When to stop printing at home

When you have not changed a card for three sessions in a row. Until then every coin is better spent on ink than on a print run. Afterwards order a single copy from a print service, with bleed and everything, and play it a dozen times; only then think about a hundred. [Bleed, trim and safe zone](/blog/bleed-trim-and-safe-zone) tells you what the service will ask of you.
`;
