import type { Guide } from './guides.ts';

export const WRITE_A_RULEBOOK_GUIDE: Guide = {
  id: 'write-a-rulebook',
  title: 'Write a rulebook',
  lead: 'Rules that show your cards as they are, and are checked against them.',
  tutorial: 'Write your first rulebook',
  words: `
1. Open the project, choose **Rulebooks** and **New rulebook**. A skeleton begins it with the chapters that players look for; a file of Markdown brings a text that you have.

2. Write over the lines in italics. **#** and a space makes a heading, **-** a list, **/** in an empty paragraph opens **Insert**.

3. Insert a **Definition** for each word that has a meaning of its own in your game, with its other forms and the words that must not stand for it. The glossary, the index and the reader’s pop-ups come from these.

4. Insert the **List of components**, a **Row of cards** or a **Value** such as a number of cards: they follow the project. Change a card, and the page shows it a second later.

5. Look at **Checks** beside the text: words on cards that are never defined, numbers that are not those of the project, references that lead nowhere, sentences that are too long. **Show** leads to each.

6. **Export** makes a PDF to read, a booklet to fold or a zine of one sheet. The globe publishes it for phones, at a link that only those know whom you give it.

**Versions** keeps the text as it was, compares and brings it back; a click on a page leads to its text.
`,
};
