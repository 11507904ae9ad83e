import { at, steps, type TutorialInfo } from './draft.ts';

/** From a project to a rulebook with chapters, a definition, checks and a file to print. */
export const WRITE_A_RULEBOOK: TutorialInfo = {
  about: 'Chapters to write over, pages beside them, and checks against your cards.',
  guide: 'write-a-rulebook',
  tutorial: {
    name: 'Write your first rulebook',
    routeName: '/decks',
    stepIndex: 0,
    steps: steps(
      {
        selector: `${at('project')}, ${at('sample')}`,
        instruction:
          'A rulebook belongs to a project, whose cards it shows. Open yours. If you have none yet, open the sample game.',
        position: { horizontal: 'right', vertical: 'middle' },
      },
      { selector: at('rulebooks'), instruction: 'Click **Rulebooks**.' },
      { selector: at('new-rulebook'), instruction: 'And **New rulebook**.' },
      {
        selector: at('make-rulebook'),
        instruction:
          'Give it a title, and choose a skeleton: it has the chapters that players look for. Then make it.',
      },
      {
        selector: '[aria-label="Text of the rulebook"]',
        instruction:
          'The lines in italics say what belongs in each chapter: write over them. Everything is saved by itself.',
        position: { horizontal: 'right', vertical: 'middle' },
        next: true,
      },
      {
        selector: '[aria-label="Insert"]',
        instruction:
          'Put the cursor where something is missing and click **Insert**: definitions, tables, pictures, cards of your project.',
      },
      {
        selector: `${at('inserts')}, [aria-label="Text of the rulebook"]`,
        instruction:
          'Choose a **Definition**, for a word that your cards use. Write the word into its field above the text, press Enter, and write what it means.',
        position: { horizontal: 'right', vertical: 'middle' },
        next: true,
      },
      {
        // Beside checks and comments the tab stands for the pages.
        selector: `${at('pages')}, [data-tab="pages"]:not([aria-selected="true"])`,
        instruction: 'These are the pages as they print. A click on one of them leads to its text.',
        position: { horizontal: 'left', vertical: 'middle' },
        next: true,
      },
      {
        selector: '[data-tab="checks"]',
        instruction:
          'Click **Checks**: words that are never defined, numbers that are not those of the project, references that lead nowhere.',
      },
      {
        selector: at('export'),
        instruction:
          'When the checks are content, **Export** makes a PDF to read or a booklet to fold, and the globe beside it a page on the web.',
        next: true,
      },
    ),
  },
};
