import { at, steps, type TutorialInfo } from './draft.ts';

/** From a project to a table with people at it. */
export const PLAY_A_TABLE: TutorialInfo = {
  about: 'A table of your own game, a hand of cards, and people to play with.',
  guide: 'play-a-table',
  tutorial: {
    name: 'Play your first table',
    routeName: '/decks',
    stepIndex: 0,
    steps: steps(
      {
        selector: `${at('project')}, ${at('sample')}`,
        instruction: 'Open the project you want to play. If you have none yet, open the sample game.',
      },
      {
        selector: `${at('playtest')}, ${at('add-component')}`,
        instruction:
          'Click **Playtest**: the game comes to a table. If the project has no cards yet, add a component first.',
      },
      {
        selector: at('open-table'),
        instruction: 'Choose how many seats there are, and open the table.',
      },
      {
        // In narrow windows the list is behind the button.
        selector: '[role="tree"][aria-label="Pieces"], button[aria-label="Pieces and log"]',
        instruction:
          'All that lies on the table is in this list too. Click a deck, here or on the felt, and press **D**: you draw a card. Draw a few, then go on.',
        position: { horizontal: 'left', vertical: 'bottom' },
        next: true,
      },
      {
        selector: '[data-hand]',
        instruction:
          'Your hand: nobody else is sent what it holds. Drag a card to the table, or select it and press **P**.',
        position: { horizontal: 'left', vertical: 'top' },
        next: true,
      },
      {
        selector: at('people'),
        instruction:
          'Members of the project see the table on its page. Click **People** for the code that lets everybody else in, without an account.',
        next: true,
      },
      {
        selector: '[aria-label="End the game"]',
        instruction:
          'When the game is over, say who won: its results are counted, and it can be replayed. For now, play on.',
        next: true,
      },
    ),
  },
};
