export default `
You have a list. Perhaps it is a spreadsheet with two hundred rows, perhaps a text file from a night when you could not sleep. This article takes it to a deck of cards on your table, and explains why the list should stay the master of everything that follows.

{figure:gallery}

## Why a table, and not two hundred drawings

A deck has two halves. One is **content**: names, numbers, rules. It differs from card to card and changes all the time. The other is **form**: where the name stands, how large the number is. It is the same for all cards and changes seldom, but when it changes, it changes everywhere.

Draw each card by hand and you have tied the two together. Moving the cost from left to right means opening two hundred files. Finding every card that says “space” where it should say “paddock” means reading two hundred pictures. Keep the content in a table and the form in one layout, and either is a matter of seconds.

## Prepare the list

One row per *different* card, and a first row with names for the columns. Names are for you: \`Name\`, \`Cost\`, \`Rule\` are better than \`Column 3\`, because these names are what you will choose from when you say what goes where.

| Name | Kind | Cost | Rule | Copies |
| The Lantern | Relic | 2 | Look at the top three cards of the deck … | 1 |
| Salt Road | Place | 4 | When a traveller arrives, draw a card … | 2 |
| Ember Fox | Companion | 1 | Once a night, light a fire where there is … | 3 |

A few habits that pay:

- **A column of copies.** Call it Copies, Count, Qty or Quantity. Seven identical swords are one row with a 7. An empty cell means one, and 0 keeps a card in the list but out of the print.
- **A column that identifies the card**, such as \`ID\`, with something that never changes. Names change; the card stays the same card.
- **One fact per cell.** “3 gold, 2 wood” cannot be sorted, compared or turned into icons. Two columns can.
- **Leave the rule text raw.** Write \`**bold**\` and \`*italic*\` into the cell, and a slash between spaces for a new paragraph.
- **Colours as hex codes.** A column with \`#2f5d62\` in every cell can drive the colour of a shape.

Save it as CSV in UTF-8. From Excel that is “CSV UTF-8 (comma delimited)”; from Google Sheets, File, Download, “Comma-separated values”.

## Import it

Make a [project](/decks), choose **Add component**, and drop the file. The import tells you what it understood: how many cards, which columns, which of them counts copies. If something is wrong, it lists every fault with its row and column, and it writes nothing until they are mended. A half-imported deck is worse than none.

The usual faults, and where they come from:

- *A row has more cells than the header.* Somewhere a comma is part of a sentence and the cell is not in quotes. A spreadsheet program sets the quotes for you; a text editor does not.
- *Two columns have the same name.* Give one another name; a layout could not tell them apart.
- *Strange characters instead of é or “.* The file is not in UTF-8. Save it again with the right choice.

## Let the columns place themselves

**Start a layout from these columns** looks at your table and guesses: the column called Name becomes the title, a column of numbers becomes the disc in the corner, long texts become the rules, colours colour the band. It is a beginning, not a design, but it shows you every card at once, and you find the seven mistakes in the list that you had read over for weeks.

Then open the editor. Each zone on the card shows either its own content or a column: the choice is called **Content**. Drag the title, make the disc larger, choose a typeface. Step through the cards with the arrows at the top, and always look at three: the one with the longest text, the one with the shortest, and the one with an empty cell.

## Work in circles

From here the work is a circle, and every round takes minutes:

1. Play, and write down what went wrong.
2. Change the cells, or one thing in the layout.
3. Export the pages that changed, print, cut.

It is tempting to polish the layout first. Resist until the content has stood still for a while. The form of a card follows from what is on it: a rule that shrinks from forty words to ten leaves room for a picture you had not dared to hope for.

## Keep the list

Whatever happens to your layout, the list is the game. Keep the CSV file, with a date in its name, next to the project. If you ever want to move to another tool, that file is what moves with you, and that you can take it away at any time is one of the reasons to trust the tool you are in.
`;
