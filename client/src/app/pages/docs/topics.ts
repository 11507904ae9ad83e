import { MAX_FILES } from '../../../core/archive/limits.ts';
import { MAX_IMAGE_PIXELS } from '../../../core/images/limits.ts';
import { MAX_MAGNETS } from '../../../core/tabletop/magnet-map.ts';
import { MAX_FONT_BYTES } from '../../../core/text/fonts/font-limits.ts';
import { MAX_DRAFTS } from '../../../data/boards/drafts.ts';
import { MAX_PICTURE_BYTES } from '../../../data/boards/pictures.ts';
import { TRASH_DAYS } from '../../../data/documents/documents.ts';
import { MAX_IMAGE_BYTES } from '../../../data/images/upload/file-kind.ts';
import { MAX_FILE_BYTES } from '../../../data/import/decode.ts';
import { MAX_COLUMNS, MAX_ROWS } from '../../../data/import/table.ts';
import { COMMANDS } from '../editor/commands.ts';
import { FORMULAS_TOPIC } from './formulas.ts';

/** A part of the documentation. What it says of limits and keys comes from the code that keeps them. */
export interface Topic {
  readonly title: string;
  /** In the marks of `prose/parse.ts`. */
  readonly words: string;
}

const keyRows = COMMANDS.flatMap(({ label, keys }) => (keys ? `| ${label} | ${keys.join(', ')} |` : [])).join(
  '\n',
);

export const TOPICS: readonly Topic[] = [
  {
    title: 'Bring a table',
    words: `
Save your sheet as CSV in UTF-8: a row of column names, then a row per card. In a project choose **Add component**, or drop the file on it. A file up to ${MAX_FILE_BYTES / 1024 / 1024} MB with up to ${MAX_ROWS} cards and ${MAX_COLUMNS} columns fits. When something is wrong with it, every fault is listed with its row and column, and nothing is imported until it is mended.

A column called Copies, Count, Qty or Quantity says how many there are of each card; an empty cell means one, 0 leaves the card out of the print. Where yours is called something else, mark it afterwards: **Edit column**, **Says how many copies there are**. **Keep in view**, in a column’s menu, holds the column at the left while the others scroll.`,
  },
  {
    title: 'Draw one card',
    words: `
**Start a layout from these columns** places your columns for you. In the editor, each zone shows its own content or a column of the table: choose it under **Content**. Everything is measured in millimetres from the card’s cut edge; the dashed line is the safe margin, what lies outside the solid line is cut away. **T**, **I**, **S** and **C** draw a text, an image, a shape or a container: drag it as large as you want it, or click; Enter adds it in the middle. **Real size** shows the card as large as it will be printed; browsers do not know how large a screen is, so **Match real size to this screen** (Ctrl+K finds it) measures yours once with a bank card.

A layout can be shared by several components of a project. **Choose a layout** connects one, or a copy of it: change a shared one, and all of them follow. **Layouts**, on the page of a project, has all that the project owns; the page **Layouts** has those of all your projects, and your own library. **Use in a project** copies one of the library there, where you are shown what you change in the library later. **Copy to…** and **Move to…** take layouts and images to another project or to your library: choose several, or drag them onto a place that appears meanwhile, with Shift to move. What is in use stays, and you are told by what; **Undo** or Ctrl+Z takes it back on both sides. Above each list stands who sees it.

Select **several zones** with Shift or by drawing a rectangle around them: their place, type, fill and line are then changed together and undone together. Where they differ a field says *Mixed*; arrow keys count each from its own value.`,
  },
  {
    title: 'Write text on cards',
    words: `
\`**bold**\` and \`*italic*\` or \`_italic_\` are set so, and a slash between two spaces begins a new paragraph. Text too long for its zone shrinks down to the size you allow; after that the editor warns you. **Shrink on all cards alike** gives every card of a deck the size that the longest text needs.

Select the card itself for **Words, icons and styles**: \`{Name}\` puts a word or an icon into a text, \`{Style: text}\` sets text in a style. **Preview on the cards** shows on which cards an icon will stand before it does. An icon can also have a mark of its own, such as \`[credit]\` or \`:sword:\`, or stand wherever its name is a word of the text; the checks then list where it does. The arrows at the top right go through the cards of your table, and behind them through three samples: long, short and empty.`,
  },
  {
    title: 'Draw a board',
    words: `
The [board maker](/boards) needs no account. Begin with one of its boards, with what it makes from settings, or with a blank one: it opens in the layout editor, where tracks, maps, spaces and links are ordinary zones that you move, colour and rename. What you draw is kept in your browser, in this one alone, up to ${MAX_DRAFTS} boards; two tabs can draw on one board. A map of [Tiled](https://www.mapeditor.org) opens too, as XML or JSON: its tiles become terrains, its objects spaces. Tile sets that lie in files of their own are chosen together with it. It says what it leaves out, such as turns of tiles, lines and texts. Layers packed as Zstandard are to be saved differently in Tiled first. **Print** lays it out over as many pages as it takes, folded if you like, and makes a PDF or one PNG.

**Save to a project** makes the board a component of a project of yours, signing you in on the way, and takes it out of the browser. There it can have rows of its own (a variant for each number of players, say), be exported to simulators and be played on: pieces snap to its spaces. In a project, add a component of the kind Boards. Fonts of your own need an account.

**Pictures of your own** need none: choose one at an image or a terrain and it stays in the browser, ${MAX_PICTURE_BYTES / 1024 / 1024} MB in all, for every board of it. They are printed, and become images of the project that a board is saved to; what no other board shows then leaves the browser.`,
  },
  {
    title: 'Keep track of layouts',
    words: `
The menu beside the card’s name in the editor has **Versions**: give the layout as it is now a name, see what differs from any kept state, and restore it; undo brings back what was there. A layout that has rested for an hour is kept by itself before it is changed again.

**Where it is used** shows the components that change with a layout, before and after, and can put your changes into a copy instead. **Hold my changes back** saves nothing until you have seen whom it changes; what you hold back stays in your browser, and you can save it for all, drop it, or make a copy of it. In **Layouts**, **Variant that follows it** makes a layout that takes over what the first one changes later; what you changed in the variant stays yours. **Tags** find layouts again. A layout that was exported from Dextrous (a JSON file) is taken over by **From a template**, its own colours as a palette; what has no counterpart here is told.`,
  },
  {
    title: 'Images',
    words: `
Drop files or whole folders on [Images](/images), paste a picture, or use [Upload](/upload): PNG, JPEG, WebP and GIF stay as they are but for what they tell beside the picture (such as the place where a photo was taken; photos that lie on their side are turned), an SVG stays a drawing that is sharp at any size (convert its text to paths; what only browsers can show becomes a PNG, and the list of uploads says why), AVIF and BMP become PNG, up to ${MAX_IMAGE_BYTES / 1024 / 1024} MB and ${MAX_IMAGE_PIXELS / 1e6} megapixels each. Uploads go on while you work and after the page was closed; what is there already is not sent twice.

A cell names an image by folder and file (\`Monsters/dragon.png\`), by file alone (\`dragon.png\`) or without its ending (\`dragon\`). **Choose** picks it instead: from the project, your images, the stock pictures or over four thousand icons in any colour. In a text, \`{coin.png}\` is an icon of the height of the letters. What a project shows of your images is copied into it: **Images** on its page shows those, and **Use in a project** on [Images](/images) adds more. Rename, move or replace a project’s image whenever you like: its cards keep it, and sheets that use an old name still find it; your own image stays as it is. A name that nothing has shows an empty frame with the name in it.

**Crop** and the focus point are kept with the image and hold wherever it is used. Give images a licence and a credit; **Credits** in a project lists those of every picture on its cards, with the authors of the icons.`,
  },
  {
    title: 'Fonts',
    words: `
The list of fonts shows every family in its own letters; search it by name or kind. They are served by this host, are free to use and print, and the line under the list names the licence and the maker of the one you have chosen.

**Bring a font** takes WOFF 2, TTF and OTF files up to ${MAX_FONT_BYTES / 1024 / 1024} MB; choose the regular, bold and italic cuts together. Of a variable font (a TTF, or a WOFF 2 of one) one file is enough: its weight, width and other axes are set beside the font, or by a column. The fonts that a layout is set in are copied into its project: whoever opens it sees them, by its link too, and they stay when you take a font off your list. A font leaves a layout’s list when no text of it is set in the font any more, in no version either and on no card. Make sure that its licence lets you print and share it.`,
  },
  FORMULAS_TOPIC,
  {
    title: 'Print',
    words: `
**Export** puts as many cards on A4 or Letter as fit, nine of poker size, with crop marks. Print at 100 %, without “fit to page”, and cut along the marks. Colours are RGB. Letters and shapes come out as sharp as the printer can; **File** says how fine the rest is painted, and where a large PDF is split.

Letters stay letters in a PDF: they can be selected, searched and copied. Four things that PDF cannot draw by itself are printed as pictures: zones with a **filter**, zones with a **mask**, **conic gradients**, and **colour emoji**. Text under such a picture lies behind it unseen, so it can be selected all the same; only the emoji themselves cannot.`,
  },
  {
    title: 'Draw a map',
    words: `
**+**, **Map** puts a map on a layout: squares, shifted squares or hexagons, up to 20,000. **Rims** that are cut straight take half cells and points off, so that the map is a rectangle. Choose a terrain, take a tool under **Paint** and drag: brush, line, rectangle, fill, eraser, or pick the terrain of a cell. With a **symmetry** every stroke is painted on all sides at once. Each stroke is one undo, and with the keyboard the arrow keys go from cell to cell and Space paints. **Single cells** have a name or a colour of their own.

A terrain is a ground with a pattern, or with a **picture**: it lies in every cell, cut to its shape, over the ground. It fills the cell, is shown whole or stretched; an image’s own crop and point of focus count. A column or a formula can name it, so that rows have pictures of their own. Until a picture is there the pattern stands for it.

**Edges** are lines along the sides of cells: rivers, roads, walls and borders, or kinds of your own. Take the pencil under **Edges** and drag from corner to corner, or click a side; the eraser takes lines away. With the keyboard the arrow keys go from corner to corner, and with Shift they draw. The symmetries of cells are theirs too. Maps of Tiled bring no edges along.

**Fill at random** fills the whole map, or only its empty cells, by the share of each terrain. **Clumping** gathers terrains in patches; **Keep apart** says which never lie side by side; the **seed** makes the same map again. Once filled, the map follows the settings while you try them, and one undo takes all of it back. What comes out is an ordinary map, to be painted on.

**Cells as a file** saves the terrains as CSV, a line for each row and a name in each cell, and opens such a table again; names that the map does not have become terrains. It also saves the map for [Tiled](https://www.mapeditor.org), as JSON and as XML, with a picture of its tiles, and the spaces made by hand as objects: what Tiled has no field for (angle of pieces, order, kinds, links) is in their properties, which are read again. Edges, single cells and pictures of terrains are in neither.

**Spaces** are the places where pieces go. **+**, **Space** makes one by hand; cells of a map become spaces by a rule (all, those of a terrain, or by name, such as A1:C3), and a path has as many along its line as you say, for a track. They are not printed; **Draw them with numbers** makes those of a path circles or squares that are. In **Tabletop Simulator** pieces snap to them: the board has a script that sets its snap points once the game has loaded its picture; a map of thousands has as many, which takes the game a while. What a space **holds** says how: a piece stays as it is turned, cards lie straight, and in an area nothing snaps; **Pieces lie** has another angle for them. **Most pieces**, and the kinds that are ticked, say what comes to rest there: at our own table other pieces stay where they are let go, and in Tabletop Simulator snap points and pieces have tags for it. **Leads to** joins spaces to one another. For **Tabletopia** every board has a **magnetic map** beside its picture: add it to the board there, and pieces go to the middle of its spaces, up to ${MAX_MAGNETS} of them. Screentop reads no dropzones from a file: its set has a list of the spaces, to make them by.

A column of the table can give **Terrains of the cells**, columns, rows and the names of cells, so that one layout has a board for each number of players. A **Path** is a river, a road or a link: a line through points, straight or smooth, with dashes and arrows. Drag its points on the card, and the small ones between them to add more; a double click, or Delete, takes one away. An end that **begins** or **ends at** a space moves along with it, until you drag it off; links that are made from settings do so from the start. **+** also has what is made from settings: a **random map** of hexagons or squares (how many of each terrain, in percent or numbers of cells, what never touches, and a seed that makes the same map again), a **track** of numbered places (round the edge, back and forth, in a spiral, round an oval, straight; counted on, or by a formula such as \`n * (n + 1) / 2\`), **places and links** that never cross, **slots** for cards, a **board of tiles** and a **player board**. Tiles are the rows of a component of the project, each as its layout shows it and as often as its copies say, or a list of names; they lie in rings or rows, shuffled and turned by the seed, and each is a space. A player board has a line for each thing that a player has: “Gold 0–10” is a track, “Workers × 5” slots, the name of a column what the row says there. What is made follows its settings until you change one of its zones, or paint on the map; the browser keeps the last ones of each board, and a reload goes on with them.`,
  },
  {
    title: 'Print a board',
    words: `
A board larger than the page comes over as many pages as it takes, in the orientation that takes fewer; **Boards**, on the export page, says how many and how they go together. Seams keep to the gaps between the spaces of a grid where moving them by one space is enough. Each page has its name above the picture (A1, A2 … along the first row, B1 … along the next) and says which pages join it; the **overview** in front shows them all. **Crosses in the overlaps** are thin lines that meet when pages are laid on one another.

Cut along the solid marks. With an **overlap**, neighbours show the same strip: cut A2 at its left mark, lay it on A1 so that its edge comes to the dashed marks, and glue it down; go along each row, then join the rows in the same way. With **glue tabs**, cut around the tabs, put glue on them, and lay the next page’s edge on the dashed marks. With an overlap of 0 pages meet edge to edge, and are taped from behind. **Print the bleed** if the outer edge will be cut or folded around cardboard.

A board that **folds** to two, four or six panels has its pages end at the folds, so that each panel can be glued on a piece of cardboard of its own. What reaches past a fold is the hinge: crease it, and glue it under the neighbour. Lines marked as slits are cut right through, and nothing is glued there; without them the board would not fold flat. A board that fits a page whole has marks at the ends of its folds, dashed, and of its slits, solid. Strips of cloth or tape along the folds on the back make hinges last; cut them at the slits too.

Backs come behind their pages, mirrored for the way that the printer turns the paper, or on pages of their own to be glued on the other side. For a printer of larger sheets or a copy shop choose **One a page**: the PDF’s page is then as large as the board. Pictures of a whole board can be PNG files of up to 30,000 pixels a side; WebP ends at 16,383, JPEG at 16,384.`,
  },
  {
    title: 'Write a rulebook',
    words: `
**Rulebooks**, on the page of a project, lists them and makes new ones, from nothing, from one of four skeletons whose prompts you write over, from a file of **Markdown**, from a **Word document**, or from the rows of a **component**. The text is on the left, its pages on the right as they will be printed; they follow the cursor, and a click on a page goes to its text. Several people can write at once, also after a while without a connection: keep the tab open, and what you wrote is saved when it is back.

Type \`/\` in an empty paragraph, or press Ctrl+Enter, to **insert** tables, definitions, boxes for notes and examples, columns, page breaks, pictures, and what the project knows: rows of **cards** as they look now, the **set-up picture**, which is the table as a playtest of the project begins, the **list of components** with their pictures and numbers, the **legend of icons** that the cards use, contents, glossary and index. In the text, card names, icons, terms (linked to their definition), references (the number, title or page of a block) and values can be inserted. Values are formulas: the number of a component’s cards by its name (\`[Tide cards] * 2\`), a cell of a card (\`Fireball.cost\`), and \`count(Finds, cost > 3)\` or \`total(Finds, cost)\` over a component’s cards with their copies. The fields of a block are above the text; Alt+Enter goes there, Escape comes back. Those of a table align the text of its columns, too. A new definition begins with its term; Enter goes on to its meaning. \`# \`, \`- \`, \`1. \` and \`> \` at the beginning of a paragraph make headings, lists, steps and notes.

A **Word document** (.docx) brings its title, headings, paragraphs, strong and emphasised words, lists in lists, tables, page breaks, links with their addresses, and its pictures, which come into the project’s images in a folder of its name. Footnotes become notes below their paragraph, its table of contents the rulebook’s own, merged cells single ones. Before the rulebook is made, and again after it, a list says all that could not be taken over as it was, such as equations, comments, headers and pictures of kinds that browsers do not show. At most 50 MB unpacked and 200 pictures are read; documents of other kinds (.doc, .odt, .rtf, PDF, or with a password) are refused, with what to do. **Text of a file**, among the things to insert, puts a Word document or Markdown below the block with the cursor; one undo takes it back. Of a **component**, say one of documents, you choose the column with the headings and those with texts and pictures; each row becomes a chapter or a section, in the order of the table.

Text that you copy in Google Docs, Word or a spreadsheet keeps its headings, lists, tables and bold words when you **paste** it, and the addresses of links stand in brackets behind their words. Lines of plain text that begin with \`- \`, \`•\` or numbers from 1 become lists. A picture that you paste or drop comes among the project’s images and below the block with the cursor.

**Checks** compares the text with itself and with the cards: words on cards that are never defined, definitions that nothing uses, words you said must not be used, references to nothing, cards that are gone or no longer have a layout, examples whose cards have changed since somebody wrote in them, components and icons that are not explained, numbers of a component that are not those of the project, long sentences, chapters that are hard to read (Flesch–Kincaid for English, LIX for other languages), and whatever did not fit a page. An example that is still right with its changed card is confirmed with **Still correct**. A word that must not be used has **Replace** beside it, for the text and for the card on which it stands, and **Not a term here**, for where it means something else; a card that is gone has an outline in its place on the page, and **Use** beside the finding puts the card there whose name is most like it; where several cards have one name, the first of them is meant, and **Use** puts the name that says so, such as *Ebb (Finds)*; a word on cards that you do not want to define has **Not a term**. Below the findings is the list of these words, from which each can be checked again. Ctrl+Alt+T says the same of words that you select, and the fields of a linked term have a button for it: the index leaves them out there. **Export** makes a PDF to read, with bookmarks, links and tags for screen readers; a booklet to print, fold and staple; a zine of eight pages on one sheet; plain text; and Markdown, in which whatever it has no form for (columns, breaks, cards, lists from the project) stands in comments, so that it comes back as it was. **Virtual tables**, in the export of the project, puts a rulebook into the notebook of a save of Tabletop Simulator. Without a browser, \`tuckbox export-deck\` makes the same with \`--format rulebook\` and \`--format tts --rulebook TITLE\`.

Whoever has the rulebook open is seen in the bar, and their cursor in the text. **Comments**, beside the pages, has what people said about the block with your cursor and all others; commented blocks are marked in the text, and a comment stays when its text is gone. Commenters can comment and not write. Archives of a project leave comments on rulebooks out.

**Versions** keeps the text under a name, such as the state of a playtest, and every two hundred changes by itself. It shows what has changed since, block by block and word by word, and **Restore this version** brings a text back; undo takes that back again.

The **language** in the bar shows the rulebook as it is written, or one of its translations; **Add a language…** begins another by its English name or its tag, such as \`pt-BR\`. In a translation each text stands above its field, and the pages beside show the translated rulebook, hyphenated by the rules of its language; where a text is missing, the source stands. Icons, cards, numbers, references, terms and strong or emphasised words are **placeholders** such as \`{energy}\`, \`{@Fireball}\`, \`{{count(Cards)}}\`, \`{§page b12}\`, \`<t b12>energy</t>\`, \`<b>\` and \`<i>\`: they may stand anywhere, but none may be lost or come twice, and what is not stored for that stays in its field with the reason. A backslash before a sign makes it a letter. A text whose source has changed since is **stale** and shows the difference; translate it anew, or **Accept as it is**. Ctrl+Enter stores a text, or accepts a stale one, and goes to the next that is open; Undo takes the last change back. Several people can translate different texts at once. Checks names what is stale and missing in every language. **XLIFF** takes a translation out as XLIFF 2.0 for translators and their programs, and **Import** lists all that a file would change, and what is refused and why, before anything is imported. Export, **On the web** and \`tuckbox export-deck --language de\` make everything in any of the languages; readers choose theirs, and the address remembers it. Names of cards, icons and components are the project’s in all languages; titles of boxes without one of their own are known in English, German, French, Spanish and Italian, and are English elsewhere.

**On the web** publishes the rulebook at a link that nobody can guess. Whoever has it reads the rules in a browser, on a phone too, without an account: with contents, a search of the whole text, terms that show their definition, cards that are enlarged, and what changed since the edition before. Readers see the text, its cards, pictures and numbers as they were when it was published; **Publish again** brings them up to date at the same link, and **Stop publishing** closes it. Owners and editors publish; a text that is refused says in which block the fault is, and **Show it in the text** goes there. A rulebook or project that is deleted is closed at once.`,
  },
  {
    title: 'Translate the cards',
    words: `
**Languages**, in the menu of a project’s page, says in which language the cards are written, and has every other that you add by its English name or its tag, such as \`pt-BR\`: how many texts are done, missing and stale, lost placeholders, and how many cards show the source. A text is a cell of a text column that a text zone shows, or the words of a text zone itself. **Do not translate** and **Translate**, in a column’s menu, say otherwise for one column.

In a language each text stands beside its field, and the card beside both. Names in braces, icons, formulas in double braces, emphasis, styles and links are **placeholders**: they may stand anywhere, but none may be lost or come twice, and what is not stored for that stays in its field with the reason. A text whose source has changed since is **stale** and shows the difference; it is printed until you translate it anew or **Accept as it is**. Ctrl+Enter stores a text and goes to the next that is open; Undo takes the last change back. A text whose source changed while you typed is stale, too. **Check how texts fit** lays all cards out and lists texts that do not fit their zones, letters that the font lacks and the smallest texts; the page of all languages has the same for every language in one table, in which a number leads to the first text that it counts.

**Terms** are words that have one translation each, such as *exhaust*. Texts of cards and rulebooks that have other words for a term are marked, as are those that call a card by another name than it has in the language.

The **card table** shows a language, too: choose it in the bar above the table, beside the cards’ own words or in their place. Its cells say what is missing, stale and lost, and are typed, pasted, filled and undone as all others are; the cards above the table and under **Cards** are painted in it.

**XLIFF**, **Excel** and **CSV** take a translation out; **Import** lists all that a file would change, and what is refused and why, before anything is imported. In CSV, change the column *Translation* alone.

**Export** has the languages: PDF, pictures, simulators and printing houses get the cards in the chosen one, with its tag in the name of the file. **Also in** adds further languages to the same export: a ZIP has one whole file of each, and of a PDF only what changed since the last print of each language where you ask for that. Where a text has no translation the source stands, and the page says on how many cards. \`tuckbox export-deck --language de\` does the same, and \`--language de,fr\` makes a file of each language. Formulas, filters and statistics see the source; a formula that is nothing but a column’s name prints its translation, and \`lang("de").Name\` prints that column in German whatever language is printed, so that a card may have two. **Only what changed** compares with prints in the same language. Archives and copies of a project take its languages along.

Letters that a zone’s font lacks come from a font of their script: Greek, Cyrillic, Vietnamese, Arabic, Hebrew and Thai everywhere, Chinese, Japanese and Korean where the server has their fonts. The language decides how Chinese characters are drawn; without a translation, kana and hangul on the card do. Text in Arabic and Hebrew runs from the right, and in a translation left and right change sides.

In the layout editor, **Language of the layout** above the properties turns from all languages to one: the card is shown in its words, and the place, size and type of zones that you change now are those of that language alone. **Only in** … lists what a zone has of its own, each with a button that resets it; **Mirror the zones** puts them at the other side for a language from the right. Everything else, words included, changes in all languages.`,
  },
  {
    title: 'Playtest at a table',
    words: `
**Playtest**, on the page of a project, opens a table of it: decks shuffled face down beside a place to discard, tiles face down, boards in the middle, dice and tokens in areas of their own, and a hand for each seat. Choose a name, up to twelve seats and the components; six rows of a dice component are one die. Members of the project find it on the project’s page and under **Tables**, on the Projects page, and sit down at a free seat; a **playtester** sees nothing of the project but the table. Where the cards have several languages, everybody at the table chooses theirs in the bar above it; the log names cards in it, too, and an address or invitation that ends in \`?lang=de\` begins in German. Owners and editors open tables, sit at the host’s seat, set the table up anew, end the game and delete it.

**People**, at the table, has its code and a link: whoever has either plays along without an account, from a phone too, at [the page for codes](/join). They choose a name, see the table and nothing else, and sit down at a seat for players. The host makes a new code, locks the table so that nobody new joins, lets people in one by one, and shows somebody out, who frees the seat and does not come back; the code changes then. A code ends with the game. Whoever has an account joins as themselves. Guests’ accounts go 30 days after their last table, and keep nothing but the name. Whoever **signs up** in the browser in which they played as a guest keeps the account, and with it the seat and the games: they stand under [tables](/playtesting). Logging in to an account that was there before leaves them with the guest.

**A sample table** is for trying this without a project and without an account: [the first page](/) opens one with Driftglass, a small game that comes with Tuckbox. Its address is the invitation: whoever opens it takes one of four seats. Who sits on the first seat, at the beginning whoever opened it, is its host: starts over, ends the game, and may try out buttons and the set-up. Nobody is kept out or shown out; if the first seat is free, anybody takes it. The bar says how long it has; an hour after it was opened it is gone with everything on it, and so are the accounts that were made for its visitors. From one network three can be open at once. Feedback, replays and results are for tables of projects.

A seat waits for whoever left the page; the host may free it. The menu of a seat makes a player a **co-host**, who leads the table too. To play alone, take a second seat by its menu (**Play this seat too**): **[** and **]** change from one of your seats to the next.

Drag pieces; from the middle of a pile comes its top card, from its rim the pile itself. The others see what you drag; Escape gives it up. Let go on somebody’s seat, it comes to their hand. A double click turns over, rolls a die, draws from a pile or opens a note. Drag on the felt to select several, hold the space bar and drag to move the view, turn the wheel to zoom. On what is selected, or lies under the pointer: **F** turns over, **Q** and **E** turn, **R** shuffles or rolls, **D** or a digit draws, **H** takes to the hand, **P** plays, **G** makes a pile, **V** looks at it alone, **S** looks through a pile. A right click, a finger that rests, or Enter in the list of pieces, has everything that can be done, with its keys; what cannot be done now says why. **?** shows all keys.

A piece that is let go on a space of a board comes to rest in its middle, and the log says which; in an area, or with **Alt** held, it stays where it is, and so does a piece that the space has no room for or does not accept. It takes the angle that the space has for it. **Ctrl** and an arrow take what is selected to the next space, along links where the space has any; **J** and **K** take it on and back in the order of play.

A cell, layout or picture that you **change in the project** changes on the table within a second, for everybody who sees the card. **Changes of the project**, in the bar above the table, is for its host: take them at once, be asked first, reading what changed, or never. New cards come out of the box when the table is set up anew; a card that is deleted in the project lies on. Of a card that somebody does not see they are sent nothing when it changes. A card whose back no longer looks like those of its deck keeps its old back until the table is set up anew, or it would be marked. On a server without Node.js a table cannot take changes at once, and says so; the host is asked.

What lies in a hand, in a pile or face down is sent to nobody who may not see it, not even to the host: the server knows the cards, other browsers do not. Everything that is done stands in the log. **Ctrl+Z** takes your last act back; when others built on it they are asked. Taking back does not make anybody forget a card, and the log says so. If the connection ends the page comes back by itself, and whoever reloads goes on where they were.

Whoever **ends the game** says who won and with how many points. From then on its results are counted, for everybody who sees the cards of the project: on the page of [tables](/playtesting) by seat, by die and by card, also as CSV, and in the table of a component as columns of their own (**Columns**, then **Show results of playtests**). A card is *drawn* when it comes to a hand, *played* when it goes from there to the table, and *unplayed* when it goes to a pile or into a bag instead; *winner’s play* is the part of what was played that a winner played. Each number says what it is of, and the interval in which it may well be in truth (Wilson’s, of 95 %); grey ones come from fewer than five. Count games of one number of **players** alone, and **cards** as they were played last, where games differ in them. Dice are compared with fair ones by χ². A game begins when the table is set up; what was taken back does not count, and neither do pauses of half an hour and more. Nothing is counted by card before the end, since that would tell what lies hidden.

**Buttons**, at the lower edge of the table, do several things at once: shuffle, deal, move, take pieces out of the box, make piles and areas, turn over, roll, set a value, go to a phase, write a line, and wait for the host. Whoever leads the table writes them under **Add a button**, with the names of its piles and areas; a step may be done for each player. A button is one act, taken back at once; where it waits for the host, each part before and after is one. What comes **out of the box** is a component, the cards of one that have a value in common (*Cards where Suit is Hearts*), or a piece whose face you have seen: all of it, or some by chance; what lies open on the table already is left out.

**Numbers** of steps may be formulas, worked out when the step is done: \`players + 1\`, \`count(Deck) / 2\`, \`5 - count(own Hand)\`, \`value(Score) * round\`. They have whole numbers, + − × ÷ and brackets, \`players\`, \`round\`, \`count(…)\` of a pile or an area, \`value(…)\` of a counter or a die, \`min(…)\` and \`max(…)\`; a division rounds down, \`up(a / b)\` up. A formula counts and reads only what everybody at the table sees, and has at most 40 numbers, names and signs; with anything else the button does nothing, and says why.

**Set-up**, beside the buttons (Shift+S), is the list of steps that lays out the table, in words: hosts change, add, order and remove them, up to sixty. **Use what lies here now** makes the list from the table as it lies. It takes angles, colours, locks and notes too, and how many cards lie in each hand. Nothing that somebody does not see is named in it: such pieces come out of the box by chance, as many as there are, go to the pile of their set, which is shuffled, and from there to hands and hidden places. What it leaves out, such as a hand of which nobody sees from which of several decks it comes, it says. **Set up anew** does the steps as one act, and one act takes it back. Players are told that there is a set-up, not its steps.

**Who sees what** (W) says of each place, in words, who sees, moves and looks through what lies there. Hosts change it there, and may leave moving to themselves; who sees a hand is changed by nobody but its player. A change never shows what lies hidden: empty the place first.

Hold **M** to measure from the pointer; letting go shows everybody the place. **Shift+M** shows them what you have selected.

**Leave feedback** asks everybody at the table, guests too, a few questions, at any time and once more when the game has ended; whoever answers again replaces their answers. Owners and editors write the questions (**Questions**, on the page of [tables](/playtesting)): up to twelve, from 1 to 5, one of several, in words, or by cards that were seen. What people answer stands there too, and as CSV.

**Replay by link**, in the menu of an ended table, publishes the game: whoever has the link steps through it act by act, turn by turn or up to sixteen times as fast, without an account, with remarks on the line. Players are called by letters. It shows what observers saw; or, if you say so, what each seat saw. While a game goes on there is no replay. With all hands it also shows whether chance was **fair**: before the first act everybody is sent a number, the SHA-256 of a secret seed (**Chance of this table**, below the log; the replay shows it again); after the end the seed is told, and the page draws every shuffle and roll again and says whether they came out as they did. **Play on from here** opens a table of your own at that moment, on all seats, with a seed of its own: what if?

The whole game can be played by keyboard and with a screen reader: the list of pieces says what lies where, each piece has its menu there, and the log is read out.

The log begins when you open the page.`,
  },
  {
    title: 'Virtual tables',
    words: `
**Export**, **Virtual tables** makes saves of Tabletop Simulator and sets for Tabletopia, Screentop and playingcards.io. Cards become decks, and other components what their kind says: tokens, tiles, boards, standees. Six rows of a dice component are the faces of one die; a component of documents becomes a page of the notebook. **Update a save** changes the cards where they lie and leaves the rest of the table as it is.`,
  },
  {
    title: 'Export without a browser',
    words: `
\`tuckbox export-deck PROJECT --email ADDRESS --out FILE --format png\` makes the same files as the page, for scripts; without further words it lists the formats and options. It needs Node.js 20 or newer on that machine, and the password in \`TUCKBOX_PASSWORD\`. It reads pictures and fonts that this host stores; \`--outside-pictures\` has it read those that cells and layouts name on other servers, too. Programs may call the function \`exportDeck\` with \`project\` and \`format\`: it stores the file on this host and answers its address.`,
  },
  {
    title: 'Flashcards: look through, learn, proofread',
    words: `
**Flashcards**, in the menu of a component, show it one card at a time, as its layouts draw it. Arrow keys go on and back, as swipes do on a touch screen; the space bar turns a card that has a back. **Hide zones** covers zones of the layout until the card is turned, and **Compare with** shows the same card beside itself as a kept version of its layout draws it. **Shuffle** makes the order one of chance. **Status**, **Tag** and **Changed** above them leave cards out: the last one those that look as they did in a print. In the same menu, **All cards of the project** finds cards in all components at once, and **Workspace** has layouts, table and images side by side.

**Learn** asks one column, or the card with its covered zones, and answers with a column or with the whole card. A card that you know goes on to the next of five boxes and comes back after 1, 3, 7 and 14 days; one that you do not know is asked again today. A day asks at most 20 cards. What you know is kept with your account, and others do not see it. By keys: the space bar shows the answer, the right arrow is known, the left one again; a finger swipes the same ways.

**Proofread** counts the cards that you have found right as they are (**O**); a card that changes is to be read again. A remark (**R**) is a comment on the card, for everybody in the project; **1** to **5** set its status.

**Odds** says how likely a hand of so many cards has one, two or three with each value of a column, copies counted.`,
  },
  {
    title: 'Draw ideas',
    words: `
[Brainstorm](/brainstorm) draws ideas from sentences and lists of your own. The pencil beside a sentence or a list changes it. In a sentence, \`{setting}\` is a word of that list, \`{red|blue}\` one of these, \`{1–6}\` a number, and \`a(n)\` becomes a or an. Choices may stand in choices: \`{red|{light|dark} blue}\`. A word written \`oak ×3\` comes three times as often, \`oak ×0\` never, and words may have places of their own. Click words of an idea to keep them and draw the others again. A list that gets another name is found by its sentences still; what is deleted can be brought back for ten seconds. **Add a pack** brings lists and sentences on one subject.

**Keep it** keeps an idea with your account, up to 200, each with a note; **Start a project** makes a project with the idea among its notes. **Copy a link** sends an idea: whoever opens it sees the same words and can take its lists. The lists are in the link itself, so that the server keeps nothing and the link goes on working.

While a list is edited, **From a column** adds the different words of a column of your projects. **Draw into rows** does the opposite: it draws words or whole sentences into new rows of a table.`,
  },
  {
    title: 'Share a layout',
    words: `
In **Layouts**, the menu of a layout has **Share by link**. Owners and editors of a project share its layouts. Whoever is signed in and has the link sees it and can copy it; nobody can change yours by it. **Stop sharing** makes the link lead nowhere.`,
  },
  {
    title: 'Projects',
    words: `
The menu of a project changes its details, tags and cover, duplicates it, archives it or moves it to the trash, where it stays for ${TRASH_DAYS} days. A copy has layouts of its own.

**Notes** are read by everybody who sees the project. **Add component** takes rows from a file, makes them from combinations of lists (\`1..9\` counts), or begins empty; kind and size decide what a layout begins with, and can be changed in **Details**, in the menu of the component. Beside its layout stands its back: none, one layout for all, or a new one as large as the front. In the menu, **Layouts by a column** gives cards other fronts or backs by what a cell says; export follows it.`,
  },
  {
    title: 'Versions of the game',
    words: `
**Versions**, in the menu of a project’s page, keeps the whole game as it is: cards, layouts, images, fonts, notes, print settings, rulebooks and translations. **Freeze version** gives it a name, the next one in the row by itself, and a note: what was played, what was printed. It is of one moment, though others go on typing, and what did not change since another version takes no room.

Versions without a name are made by themselves: before a day’s first change, before an import and other changes of many cards, before a print and before a restoration. They are folded in the list and thinned out with age, all of a day, one a day for a month, one a week for a year. **Give it a name**, in the menu of one, keeps it until you delete it. An image or a font that a version shows stays on the server although the project has it no more, and goes with the last version that shows it.

**Compare** shows what became of a version since, or of any other that you choose: at the left everything that differs, by component, card, layout, rulebook, image and font; at the right what exactly, cells and rules word by word, cards, layouts and pictures beside each other. **Count the cards to reprint** finds those that look different on paper, because of a layout or a picture too, and **Print only these** makes their sheets. **Change log** writes it all down for players, to be edited and copied.

**Restore** brings one thing back: a cell or a card, which undo takes back in the table too, a component, a layout, an image, a rulebook, whose open windows follow. **Restore everything** makes the project what it was. The project is frozen before each, so that you can come back.

**Open** shows a version as a project that nobody can change: its table, layouts, exports and flashcards. **Playtest** opens a table that keeps the cards of the version while the project goes on, and the results of its games can be counted alone. A line above says that it is a version, leads back, and makes a **new project** of it, a branch that remembers where it came from. On the page of a branch, **Bring changes back** lists what it changed, to be taken one by one: cards, components and their columns, layouts, pictures, rulebooks, translations, print settings, notes, and what the project says of itself. Where the project has changed the same, both sides are shown, and what cannot come back is said below. A named version may have a **public link**: whoever has it sees its cards, boards and rulebooks as they were, without an account, and nothing that no card shows; withdraw it from the same menu. Prints note the version that they are of. \`tuckbox export-deck\` takes a version with \`--version\`. Whoever sees a project sees its versions; owners and editors freeze, restore and delete them.`,
  },
  {
    title: 'Work together',
    words: `
**Members** invites people by a link, which anybody who has it may use until it expires or is withdrawn, or by an e-mail address, whose owner finds the invitation on the Projects page.

| Role | May |
| Owner | Everything, and says who works on the project |
| Editor | Change cards, layouts and notes |
| Translator | See everything, comment, and write translations into the languages that an owner chose |
| Commenter | See everything and comment on cards |
| Viewer | See everything |
| Playtester | See the title page only, and play at its tables |

A **translator** writes the translations and terms of their languages, of cards and of rulebooks, by hand, in the card table or from files, and changes nothing else; editors begin languages and remove them. Owners choose the languages with the invitation, and change them beside the translator’s name. A language that is removed stays theirs, in case it comes back.

Layouts belong to the project: everybody who sees it sees them, and editors change them. Images and fonts belong to the project too: when a change of yours makes a card show an image of your library, or a text stand in a font of yours, a copy goes into the project, so members see it whatever becomes of your account; the rest of a library stays with whose it is. Names that others type take nothing out of your library: the project’s **Images** page lists what cards show from it to you alone, and copies it when you say so. When an image or a layout of your library changes, **Update in … projects** there shows the copies that are older, before and after, and changes those you choose. A picture once seen has an address that goes on opening it, even for who is a member no more, until the picture is deleted. A layout shared by link shows the pictures that it names, of its project or of the library it lies in, however many.`,
  },
  {
    title: 'Project archives',
    words: `
**Download archive** makes one ZIP of a project: \`project.json\`, \`notes.md\`, a folder for each component with \`component.json\` and \`cards.csv\` (a line a card: \`#id\`, \`#copies\`, \`#status\`, then a column for each key), \`layouts/\`, \`comments.json\`, \`print-settings.json\`, \`print-history.json\`, \`rulebooks/\`, in \`images/\` every picture that its cards and layouts show, with tags, licences, credits, crops and focus in \`images.json\`, and in \`fonts/\` the files of fonts of your own that its layouts are set in. Keys are sorted and dates fixed: the same project makes the same file, byte for byte, so that a folder of it can be kept under version control. Pictures shown by a web address are kept by that address; members and invitations are not in it.

**Open archive** makes a new project of it. Its pictures and fonts belong to that project; your library stays as it is. A damaged file, paths that lead elsewhere, or more than ${MAX_FILES.toLocaleString('en')} files are refused with the reason, and nothing is kept.`,
  },
  {
    title: 'Your settings',
    words: `
Settings are kept with your account: palettes and shapes of your own, fonts, the lists and sentences of Brainstorm, how images and tables are shown, which tutorials you have completed. They follow you to every browser: zones copied on one device are pasted on another. When two tabs change different settings at once, both changes stay.

Light or dark is for each browser: it follows the system until you choose there.`,
  },
  {
    title: 'Your account and your data',
    words: `
On the [account page](/account) you can change your name, with a password also that and the e-mail address, see where you are logged in and sign out one browser, everywhere else or everywhere, download the account and every document of yours as one JSON file, and delete the account with everything in it. A new address takes effect when you open the link that is sent to it. Who signs in elsewhere, without a password, signs in there once more before the account is deleted.

**Second step** adds up to five authenticator apps. From then on signing in also asks for the code that one of them shows; a code works once. **Recovery codes** stand in for a lost app: ten at a time, each works once, and they are shown only when they are made. Without an app and without a code nobody can sign in to the account. Removing an app or making codes takes a sign-in with a code.`,
  },
  {
    title: 'Keys in the editor',
    words: `
| What | Keys |
${keyRows}
| Move or resize without the grid, turn freely | Shift while dragging |
| Zoom | Ctrl and the wheel |`,
  },
  {
    title: 'Run a server',
    words: `
The section \`tuckbox.site\` of \`firebase.json\` tells the application who runs it: \`operator\` and \`contact\` appear in the policies, \`chatUrl\` in the menus (without it they lead to [Community](/docs#community)), and \`admins\` is a list of up to five ids or addresses that are shown the links of an admin. The list gives no rights: those come with \`tuckbox admin grant EMAIL\`, and every call is checked on the server. All of that section can be read by everybody.

Mail goes out once \`tuckbox.mail\` says whom it is \`from\`, such as \`Tuckbox <cards@example.com>\`, and the environment variable \`TUCKBOX_MAIL_SERVER\` holds the mail server, such as \`smtps://user:password@mail.example\`. Until then links to verify an address or to choose a new password wait in a file of the data folder: \`tuckbox outbox\`, run on the server's machine by the user that the server runs as, shows them.

What the server counts is at \`/metrics\`, for Prometheus, once the environment variable \`TUCKBOX_METRICS_TOKEN\` holds the token that it is asked with (\`Authorization: Bearer …\`). Put the server behind a proxy that speaks TLS and start it with \`--public-url https://…\`: browsers are then told to come back in no other way. In emulator mode the console and the endpoints for tests answer under names of this machine alone; \`tuckbox.hosts\` lists further ones.

Everything is free unless \`tuckbox.plans\` says otherwise. Its \`offered\` is a list of plans, the smallest first: an \`id\`, a \`name\`, a \`price\` as it is shown, \`includes\`, and \`limits\` on \`projects\`, \`layouts\`, \`images\`, \`members\` of a project, \`storageBytes\`, \`documentBytes\`, \`documentsAMinute\` and \`documentBytesAMinute\`. The server refuses what goes beyond; what is there already stays. Everybody has the first plan, and admins can give others. To sell plans, name the price of each at Stripe as \`stripePrice\`, add \`"stripe": {}\`, set \`STRIPE_SECRET_KEY\` and \`STRIPE_WEBHOOK_SECRET\` in the server's environment, and have Stripe send \`checkout.session.completed\` and the \`customer.subscription\` events to \`/__/checkout/webhook\`.`,
  },
  {
    title: 'Test a Firebase app',
    words: `
The same program stands in for the Firebase emulators, without Java. In the folder of a project, \`tuckbox emulators:start\` and \`tuckbox emulators:exec "npm test"\` start what its \`firebase.json\` names, on the usual ports, with the options of \`firebase\`: \`--only\`, \`--project\`, \`--import\`, \`--export-on-exit\`, \`--ui\`, \`--inspect-functions\`. Nothing is kept between runs unless \`--data\` names a folder. Realtime Database, Data Connect, App Hosting and Extensions are left out, and the start says so.

\`--log-verbosity DEBUG\` logs why rules deny a request: the line, the part of the condition that decided, and its value. \`$TUCKBOX_URL/__/faults\` makes requests late or fail, and \`$TUCKBOX_URL/__/clock\` moves the time for tests. The file \`docs/firebase.md\` that comes with the source has every option, recipes for continuous integration and the scores of public projects’ own tests.`,
  },
];
