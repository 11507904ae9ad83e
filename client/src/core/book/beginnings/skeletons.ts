import type { Block, Live } from '../document/schema.ts';

/** Beginnings of rulebooks: headings in the order in which players need them, and prompts to write over. */
export interface Skeleton {
  readonly id: string;
  readonly name: string;
  readonly summary: string;
  readonly blocks: () => Block[];
}

/** Makes blocks with ids in the order in which they are made. */
class Maker {
  #next = 1;

  #id(): string {
    return `s${this.#next++}`;
  }

  heading(level: 1 | 2, text: string): Block {
    return { type: 'heading', id: this.#id(), level, content: [{ type: 'text', text }] };
  }
  text(text: string): Block {
    return { type: 'paragraph', id: this.#id(), content: [{ type: 'text', text }] };
  }
  prompt(text: string): Block {
    const marks: ['emphasis'] = ['emphasis'];
    return { type: 'paragraph', id: this.#id(), content: [{ type: 'text', text, marks }] };
  }
  live(show: Live['show']): Block {
    return { type: 'live', id: this.#id(), show };
  }
  steps(...items: string[]): Block {
    const id = this.#id();
    return {
      type: 'list',
      id,
      marker: 'steps',
      items: items.map((item) => ({ id: this.#id(), blocks: [this.prompt(item)] })),
    };
  }
  example(text: string): Block {
    return { type: 'callout', id: this.#id(), kind: 'example', title: '', blocks: [this.prompt(text)] };
  }
  define(term: string, text: string): Block {
    return {
      type: 'definition',
      id: this.#id(),
      term,
      variants: [],
      forbidden: [],
      content: [{ type: 'text', text, marks: ['emphasis'] }],
    };
  }
}

const BOX =
  'Every kind of component with its number is listed here by itself. Say in a sentence what each is for.';
const SETUP_PICTURE =
  'Insert a Set-up picture here: it shows the table of your project when everything lies where it should.';
const ONE_TERM = 'One word for one thing: define each word of the game here, and use no other for it.';

function start(make: Maker): Block[] {
  return [
    make.heading(1, 'Overview'),
    make.prompt('Who are the players, what do they want, and how does the game end? Three sentences.'),
    make.heading(1, 'Components'),
    make.prompt(BOX),
    make.live('components'),
    make.heading(1, 'Set-up'),
    make.steps(
      'What lies in the middle of the table?',
      'What does each player take?',
      'Who begins, and how is that decided?',
    ),
    make.prompt(SETUP_PICTURE),
  ];
}

function end(make: Maker): Block[] {
  return [
    make.heading(1, 'End of the game'),
    make.prompt('What ends it? Who has won? How are ties broken?'),
    make.heading(1, 'Icons'),
    make.live('icons'),
    make.heading(1, 'Glossary'),
    make.prompt(ONE_TERM),
    make.live('glossary'),
  ];
}

export const SKELETONS: readonly Skeleton[] = [
  {
    id: 'cards',
    name: 'Card game',
    summary: 'Overview, components, set-up, a turn, the cards, end, glossary.',
    blocks: () => {
      const make = new Maker();
      return [
        ...start(make),
        make.heading(1, 'A turn'),
        make.steps('What happens first?', 'What may a player do, and how often?', 'How does the turn end?'),
        make.example('A turn, with names of players and cards: what they do and why they may.'),
        make.heading(1, 'The cards'),
        make.prompt('Explain a card part by part: insert a row of cards and name what stands where.'),
        make.define('Draw', 'Say what to draw means here, and what happens when the deck is empty.'),
        ...end(make),
      ];
    },
  },
  {
    id: 'board',
    name: 'Board game',
    summary: 'Contents, overview, components, set-up, rounds and phases, actions, scoring, glossary, index.',
    blocks: () => {
      const make = new Maker();
      return [
        make.live('contents'),
        ...start(make),
        make.heading(1, 'A round'),
        make.prompt('Name the phases in order and say who acts in each.'),
        make.heading(2, 'First phase'),
        make.prompt('What must be done, what may be done?'),
        make.heading(2, 'Second phase'),
        make.prompt('What must be done, what may be done?'),
        make.heading(1, 'Actions'),
        make.prompt('Give each action a heading, its cost, its effect and an example.'),
        make.define('Action', 'Say what counts as an action, and how many a player has.'),
        make.example('A whole round with two players.'),
        make.heading(1, 'Scoring'),
        make.prompt('When are points counted, and for what? A table is read faster than a sentence.'),
        ...end(make),
        make.heading(1, 'Index'),
        make.live('index'),
      ];
    },
  },
  {
    id: 'cooperative',
    name: 'Cooperative game',
    summary:
      'Goal and threats, set-up by difficulty, the players’ turn, the game’s turn, winning and losing.',
    blocks: () => {
      const make = new Maker();
      return [
        ...start(make),
        make.heading(2, 'Difficulty'),
        make.prompt('What is different for a first game, and for players who win too often?'),
        make.heading(1, 'The players’ turn'),
        make.steps('What may each player do?', 'What may players tell each other?'),
        make.heading(1, 'The game’s turn'),
        make.steps('What does the game do by itself?', 'In what order, and where?'),
        make.example('A game’s turn in which something goes wrong, and what the players could have done.'),
        make.heading(1, 'Winning and losing'),
        make.prompt('All ways to win, and all ways to lose: nobody should find out at the table.'),
        ...end(make),
      ];
    },
  },
  {
    id: 'short',
    name: 'On two pages',
    summary: 'The least that lets strangers play: goal, components, set-up, a turn, the end.',
    blocks: () => {
      const make = new Maker();
      return [
        make.text('For … players, from … years, about … minutes.'),
        make.heading(1, 'Goal'),
        make.prompt('How is the game won? One sentence.'),
        make.heading(1, 'Components'),
        make.live('components'),
        make.heading(1, 'Set-up'),
        make.steps('What lies where?', 'Who begins?'),
        make.heading(1, 'Your turn'),
        make.steps('What do you do first?', 'What may you do?', 'When is it the next player’s turn?'),
        make.heading(1, 'The end'),
        make.prompt('What ends the game, and who has won?'),
      ];
    },
  },
];
