/** One release and what it brought, newest first. The page `/Updates` shows nothing but this list. */
export interface Release {
  readonly version: string;
  /** ISO date. */
  readonly date: string;
  readonly title: string;
  /** In the marks of `prose/parse.ts`, a line each. */
  readonly changes: readonly string[];
}

export const CHANGELOG: readonly Release[] = [
  {
    version: '0.1.0',
    date: '2026-11-21',
    title: 'The frame around the cards',
    changes: [
      '**The board maker** is for everybody, without an account: thirteen boards to begin with, drawn in the layout editor, kept in the browser, with your own pictures, printed over several pages or taken away as a picture, and saved to a project whenever you like.',
      '**Playtesting**: a table of a project in one click, for as many as twelve seats. Decks, hands, dice, tokens and boards; what lies hidden is sent to nobody; all of it by mouse or by keyboard. A card that you edit meanwhile changes on the table; its host may be asked first, or keep the cards as they are. Ended games leave results: by seat, by die and by card, with intervals, as columns of the card table and as CSV; they are **replayed by link**, with chance that anybody can check, and played on from any moment. Players answer your questions in a **feedback** form, and hosts write **buttons** that do several things at once.',
      '**Maps**: squares or hexagons with terrains of your own, patterns or **pictures**, painted with brush, line, fill and symmetry, or filled at random from a seed, with rivers and walls along their **edges**, as CSV or maps of Tiled if you like; **paths** for rivers, roads and links; and **spaces** that pieces snap to in Tabletop Simulator and Tabletopia, which say the kinds and number of pieces, their angle, the order of play and the ways between them. **Boards of tiles** are dealt from a component’s rows, and player boards made of a few lines.',
      '**Rulebooks** are written in the project, with their pages beside the text: cards, numbers and icons in them are those of the project, checks say where text and cards disagree, and they are taken away as a PDF, a booklet, a zine, plain text, a page of Tabletop Simulator’s notebook or Markdown. Markdown, a **Word document** with its pictures, or the rows of a component begins one, and what could not be taken over is said; the command line makes the PDF, too. A card that is gone is found, with another for its place. Lists of components have pictures, a picture of the set-up shows the table as a game begins, checks find counts that are wrong and chapters that are hard to read, and replace forbidden words in the text and on cards, or leave them alone where you say that they are no term. You see who else is writing and where, and say something about a block. The text is kept in **versions** that can be compared word by word and restored, and they are **published at a link**: with a search, terms that explain themselves, cards to enlarge, on a phone and in the dark, and with what changed since the edition before. A tutorial shows how to write the first one.',
      '**Brainstorm** keeps words of an idea while it draws the others again, knows choices, ranges and weights, renames lists with the sentences that name them, and takes deletions back. It **keeps ideas** and starts projects from them, sends them by a link, brings eight packs of lists, and takes words from columns and draws them into rows.',
      '**Flashcards** teach a deck with five boxes, asking one column or the card with **covered zones**, by keys and by swipes; show it beside **versions of its layout**; **proofread** it card by card, with remarks that are comments; leave cards out by status, tag and what changed since a print; and say the **odds of a hand**.',
      '**Boards larger than a page** are printed over several: with an overlap or glue tabs, folds and slits, a name on each page, an overview, and backs that meet. The Game Crafter’s folding boards are among its products.',
      'The account page adds **authenticator apps** as a second step of signing in, and signs out everywhere else.',
      'An icon that needs no braces is **previewed on the real cards**: which texts change, how many, before and after.',
      '**Variable fonts**: bring one file and set its weight, width and other axes for each text, on the screen and in PDF alike.',
      'The first page has a small deck to play with: change its table and watch the cards. Below it the sample game lies on a **table that anybody opens**, without an account: send a friend the link and play; an hour later it is forgotten.',
      'A project **owns its images and fonts**: members see, print and export them whatever becomes of the account they came from. The library offers to **update copies** in projects, and shows before and after first.',
      '**Projects** have tags, covers, notes, an archive and a trash; they can be searched, sorted, duplicated, and taken away as one file with their pictures and brought back.',
      '**Members**: invite people by link or e-mail address as owners, editors, commenters, viewers or playtesters; whoever sees the cards sees their pictures, on the project’s cover and in its credits too.',
      '**Plans**, for operators who want some: limits that the server keeps, and paying at Stripe. Without any, everything stays free.',
      'Components of **tokens, tiles, dice, boards, mats and documents**, which can be renamed, put in another order and given their backs where they are; rows from combinations of lists; layouts by a column.',
      'A sample game, **Driftglass**, opens with one click.',
      'Two tabs, or two people, can draw on **one layout at once**: nothing is overwritten, and undo takes back your own acts alone.',
      'Layouts have **tags**, **versions** that can be compared and restored, and **variants** that follow a layout and take over its changes.',
      'Changes to a shared layout can be **held back** until you have seen which components they change.',
      'How zones look on **one card alone** is edited on the painted card: drag, turn and resize them there.',
      'Columns of the table that are **kept in view** stay where they are while the others scroll, to be read and written in; **real size** in the editor can be matched to your screen.',
      'The table’s steps, imports among them, can be **undone after a reload**.',
      'In the editor: words, **icons** that stand wherever their name does, and styles; text set alike on all cards; sample cards; palettes and shapes of your own; front and back beside each other; shadows of letters, dashed and dotted lines.',
      'Cards are painted twice as fast.',
      'Tabletop Simulator gets **dice**, rules in the notebook and places for cards; the command line and a function export **pictures** and every other format too. Checks and previews follow layouts by a column.',
      '**Images** in a library of folders: drop hundreds at once, pick them in layouts and cells, crop, rename, move and replace them without a card losing its picture.',
      'Over four thousand **icons** in any colour, and a page of **credits** for every project.',
      'A library of more than a hundred **fonts**, shown as they look, and fonts of your own: WOFF 2, TTF and OTF.',
      'Click-through **tutorials** on the real screens, from a first layout to a first table: the button at the bottom right.',
      'Your **settings**, palettes, shapes and fonts of your own among them, are kept with your account and follow you to every browser.',
      '**Brainstorm** draws ideas from lists and sentences of your own.',
      '**Flashcards** show a component one card at a time and turn those that have a back; a component’s menu leads to them, to all cards of the project and to the workspace.',
      '**Choose a layout** for a component: connect one, or connect a copy. Share a layout by its link: who copies it has its pictures, with their credits, and its fonts. The server copies them: nothing is uploaded again.',
      'A [blog](/blog/), [illustrated guides](/Tutorials/) and a [documentation](/docs) that can be searched.',
      'The account page can change name, address and password, sign out everywhere, export your data and delete all of it.',
      'Admins get a control panel: people and their plans, how much is stored, announcements, switches and a log of what was done.',
    ],
  },
  {
    version: '0.0.2',
    date: '2026-11-14',
    title: 'From a table to a printed deck',
    changes: [
      'Import a CSV table; every fault is listed by row and column before anything is written.',
      'The layout editor: text, pictures and shapes in millimetres, bound to columns.',
      'PDF export with crop marks on A4 and Letter, with text that stays text.',
    ],
  },
  {
    version: '0.0.1',
    date: '2026-10-30',
    title: 'A server in one program',
    changes: [
      'Documents with live queries and transactions, accounts, callable functions and files in one binary.',
      'What has been acknowledged survives a power cut.',
    ],
  },
];
