import { WRITE_A_RULEBOOK_GUIDE } from './rulebook-guide.ts';

/** A guide in numbered steps, some with a picture. */
export interface Guide {
  readonly id: string;
  readonly title: string;
  readonly lead: string;
  /** The click-through tutorial that does the same on the real screens. */
  readonly tutorial?: string;
  /** In the marks of `prose/parse.ts`; figures are those of `guide-figures.tsx`. */
  readonly words: string;
}

export const GUIDES: readonly Guide[] = [
  {
    id: 'draw-a-layout',
    title: 'Draw a layout',
    lead: 'From a blank card to a title, a picture’s place and a rule.',
    tutorial: 'Create your first layout',
    words: `
1. Open [Layouts](/layouts) and choose **New layout**. You get a blank poker card; the inspector on the right lists the other sizes.

{figure:step-blank}

2. Click **Shape** and pull the rectangle over the top of the card, past its edge into the bleed. Give it a dark colour under **Fill**.

3. Click **Text**. Drag the box into the band, type a title, make it white and bold.

{figure:step-band}

4. Add a second text for the rule, and a third for the number in the corner. Put an ellipse behind the number: the list of layers says what lies on top of what.

5. Set **Fit** of the rule to shrink, down to the smallest size you would want to read. The editor warns you when even that is not enough.

{figure:step-done}

Everything is saved as you go. **Ctrl Z** takes back, **Shift** while dragging moves without the grid.
`,
  },
  {
    id: 'import-a-table',
    title: 'Import a table',
    lead: 'Every row a card, every column a place on it.',
    tutorial: 'Create your first project',
    words: `
1. Write your cards as a table: a first row with names for the columns, then a row per card.

| Name | Kind | Cost | Rule | Copies |
| The Lantern | Relic | 2 | Look at the top three cards … | 1 |
| Salt Road | Place | 4 | When a traveller arrives … | 2 |
| Ember Fox | Companion | 1 | Once a night, light a fire … | 3 |

2. Save it as **CSV in UTF-8**. In Excel the kind of file is called “CSV UTF-8”; in Google Sheets it is File, Download, “Comma-separated values”.

3. Open [Projects](/decks), make one, and drop the file on it. The preview shows what was understood. If something is wrong you see every fault with its row and column, and nothing is written.

4. Choose **Start a layout from these columns**. The columns find their places; from there it is a layout like any other.

{figure:step-rows}

5. In the editor, the arrows at the top right step through the cards. Look at the longest text, the shortest, and an empty cell.
`,
  },
  {
    id: 'print-a-deck',
    title: 'Print a deck',
    lead: 'Nine cards a page with crop marks, and how to cut them.',
    tutorial: 'Print your component to PDF',
    words: `
1. Open the project and choose **Export**.

2. Choose the paper that is in your printer. On A4 and Letter nine poker cards fit.

{figure:step-sheet}

3. Under **Cards**, leave **Copies** at **As in the list**, unless you only want to proofread. For backs, choose their layout above and a printer that prints both sides.

4. Press **Export PDF**. Open the file and print it at **100 %** or “actual size”. “Fit to page” makes every card too small for its sleeve.

5. Cut along the marks, right across the sheet, first all one way, then all the other. Sleeve the cards in front of old playing cards, and shuffle.

More about knives, paper and glue is in [A prototype in your hands tonight](/blog/print-and-play-at-home).
`,
  },
  WRITE_A_RULEBOOK_GUIDE,
  {
    id: 'play-a-table',
    title: 'Play a table',
    lead: 'Your game on a table, with friends who need no account.',
    tutorial: 'Play your first table',
    words: `
1. Open the project and choose **Playtest**. Say how many seats there are, and open the table: decks are shuffled, boards lie in the middle, everybody has a hand.

2. Select a pile and press **D** to draw, **R** to shuffle, **Shift+D** to deal to everybody. **F** turns a card over, **P** plays it from your hand; a right click shows all that can be done. **?** lists the keys.

{figure:step-hand}

3. Open **People**. Members of the project, playtesters among them, see the table on the project’s page. Others open [the page to join](/join) on this server and type the code; they need no account.

4. Change a card in the project meanwhile: it changes on the table, for those who see it.

5. **End the game** when it is over, and say who won. Its results, what people answer to your questions, and the replay are under [Tables](/playtesting).
`,
  },
  {
    id: 'share-a-layout',
    title: 'Share a layout',
    lead: 'Show others how your cards look, and let them take a copy.',
    words: `
1. In [Layouts](/layouts), open the menu of a layout and choose **Share by link**. The link is on your clipboard.

2. Whoever is signed in on this server and has the link sees the layout with sample text, and can copy it to their own layouts. They cannot change yours, and they do not see your cards.

3. **Stop sharing** in the same menu makes the link lead nowhere. Copies others have made stay with them.
`,
  },
];
