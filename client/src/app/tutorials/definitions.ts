import type { Tutorial } from '../../data/user-object/schema.ts';
import { at, steps, type TutorialInfo } from './draft.ts';
import { PLAY_A_TABLE } from './play-tutorial.ts';
import { WRITE_A_RULEBOOK } from './rulebook-tutorial.ts';

/** The click-through tutorials, in the order in which a newcomer wants them. */
export const TUTORIALS: readonly TutorialInfo[] = [
  {
    about: 'A blank card, a line of text, a shape: the editor in seven steps.',
    guide: 'draw-a-layout',
    tutorial: {
      name: 'Create your first layout',
      routeName: '/layouts',
      stepIndex: 0,
      steps: steps(
        {
          selector: at('new-layout'),
          instruction: 'A layout says how cards look. Click **New layout** to begin with a blank poker card.',
        },
        {
          selector: '[aria-label="Layout name"]',
          instruction: 'Give it a name, such as “Heroes”. You can change it at any time.',
          next: true,
        },
        { selector: '[aria-label="Add text"]', instruction: 'Click here to put a text on the card.' },
        {
          selector: 'section[aria-label="Text"]',
          instruction:
            'Type what it says, and choose font and size. When the layout belongs to a table, “Content” binds the text to a column.',
          position: { horizontal: 'left', vertical: 'middle' },
          next: true,
        },
        { selector: '[aria-label="Add shape"]', instruction: 'Now a shape: a band, a disc, a star.' },
        {
          selector: '[data-zone-id]',
          instruction:
            'Drag things where you want them, pull their corners to resize. The dashed line is the safe margin.',
          position: { horizontal: 'right', vertical: 'middle' },
          next: true,
        },
        {
          selector: 'a[aria-label="Back"]',
          instruction: 'Everything is saved by itself. This arrow leads back to your layouts.',
          next: true,
        },
      ),
    },
  },
  {
    about: 'A project, a table of cards in it, and their first layout.',
    guide: 'import-a-table',
    tutorial: {
      name: 'Create your first project',
      routeName: '/decks',
      stepIndex: 0,
      steps: steps(
        { selector: at('new-project'), instruction: 'A project is one game. Click here to make one.' },
        {
          selector: at('project-name'),
          instruction: 'What is the game called? A working title will do.',
          next: true,
        },
        { selector: at('create-project'), instruction: 'And create it.' },
        {
          selector: at('add-component'),
          instruction:
            'A component is a set of cards. Its content comes from a table: click **Add component**.',
        },
        {
          selector: at('pick-file'),
          instruction:
            'Choose a CSV file, drop it here, or take the sample list: a row of column names, then a row per card. A column called Copies says how many there are of each.',
          next: true,
        },
        {
          selector: at('import'),
          instruction: 'This is how the list is read. When it looks right, click **Import**.',
          position: { horizontal: 'center', vertical: 'top' },
        },
        {
          selector: at('start-layout'),
          instruction:
            'Now the cards need a look. Click **Start a layout from these columns**: each column gets its place, and you move things afterwards.',
          next: true,
        },
      ),
    },
  },
  {
    about: 'Nine cards a page with crop marks, ready to cut.',
    guide: 'print-a-deck',
    tutorial: {
      name: 'Print your component to PDF',
      routeName: '/decks',
      stepIndex: 0,
      steps: steps(
        {
          selector: `${at('project')}, ${at('sample')}`,
          instruction: 'Open the project you want to print. If you have none yet, open the sample game.',
          position: { horizontal: 'right', vertical: 'middle' },
        },
        { selector: at('export'), instruction: 'Click **Export**.' },
        {
          selector: `${at('paper')}, ${at('start-layout')}`,
          instruction:
            'Here your cards stand on their sheets. If the page says that they have no layout yet, let it start one; then go on with **Next**.',
          next: true,
        },
        { selector: at('paper'), instruction: 'Choose the paper that is in your printer.', next: true },
        {
          selector: at('export-pdf'),
          instruction:
            'This makes the PDF. Print it at 100 %, without “fit to page”, and cut along the marks.',
          position: { horizontal: 'center', vertical: 'top' },
          next: true,
        },
      ),
    },
  },
  PLAY_A_TABLE,
  WRITE_A_RULEBOOK,
];

/** The tutorial of that name. */
export function tutorialNamed(name: string): Tutorial | undefined {
  return TUTORIALS.find(({ tutorial }) => tutorial.name === name)?.tutorial;
}
