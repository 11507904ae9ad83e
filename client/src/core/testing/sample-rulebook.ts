import {
  type Block,
  type Inline,
  parseRulebook,
  RULEBOOK_VERSION,
  type Rulebook,
} from '../book/document/schema.ts';

/** The rulebook of the sample game, with every kind of block that needs no project. */

let ids = 0;
const id = (): string => `s${ids++}`;

/** Text with `*emphasis*` and `**strong**` words, `[term]` for a use of a defined term, `@id` for a page reference. */
function text(source: string): Inline[] {
  return source
    .split(/(\*\*[^*]+\*\*|\*[^*]+\*|\[[^\]]+\]|@[a-z]+)/)
    .filter((part) => part !== '')
    .map((part): Inline => {
      if (part.startsWith('**')) return { type: 'text', text: part.slice(2, -2), marks: ['strong'] };
      if (part.startsWith('*')) return { type: 'text', text: part.slice(1, -1), marks: ['emphasis'] };
      if (part.startsWith('@')) return { type: 'reference', block: part.slice(1), show: 'page' };
      if (part.startsWith('[')) {
        const [words = '', definition = words.toLowerCase()] = part.slice(1, -1).split('|');
        return { type: 'term', definition, text: words };
      }
      return { type: 'text', text: part };
    });
}

const heading = (level: 1 | 2 | 3 | 4, title: string, own = id()): Block => ({
  type: 'heading',
  id: own,
  level,
  content: text(title),
});
const paragraph = (source: string): Block => ({ type: 'paragraph', id: id(), content: text(source) });
const list = (marker: 'bullets' | 'steps', ...items: string[]): Block => ({
  type: 'list',
  id: id(),
  marker,
  items: items.map((item) => ({ id: id(), blocks: [paragraph(item)] })),
});
const callout = (
  kind: 'note' | 'example' | 'important' | 'variant' | 'faq',
  title: string,
  ...all: string[]
): Block => ({
  type: 'callout',
  id: id(),
  kind,
  title,
  blocks: all.map(paragraph),
});
const table = (caption: string, widths: number[], ...rows: string[][]): Block => ({
  type: 'table',
  id: id(),
  caption: caption === '' ? [] : text(caption),
  headRows: 1,
  widths,
  rows: rows.map((row) => row.map(text)),
});
const rule = (depth: 1 | 2 | 3, source: string): Block => ({
  type: 'rule',
  id: id(),
  depth,
  content: text(source),
});
const define = (
  own: string,
  term: string,
  source: string,
  variants: string[] = [],
  forbidden: string[] = [],
): Block => ({
  type: 'definition',
  id: own,
  term,
  variants,
  forbidden,
  content: text(source),
});
const live = (show: 'contents' | 'glossary' | 'index' | 'components'): Block => ({
  type: 'live',
  id: id(),
  show,
});

const opening = (): Block[] => [
  paragraph(
    'The storm has passed, the harbour wall is down, and the whole coast is littered with things that belonged to somebody yesterday. You walk the tideline before breakfast with a sack over your shoulder. So do the others.',
  ),
  paragraph(
    'Driftglass is a game of choosing for two to four beachcombers. Every [find] looks valuable when it lies in the sand; whether it is worth anything depends on what else you carry home, and on what your neighbours left for you. A game takes about twenty minutes.',
  ),
  live('contents'),
  heading(1, 'Before the first tide', 'before'),
  heading(2, 'What is in the box'),
  paragraph(
    'Check that nothing has been washed away. If a card is missing, print it again from the project.',
  ),
  live('components'),
  heading(2, 'Setting up', 'setup'),
  list(
    'steps',
    'Shuffle all thirty cards, finds and tides together, and put them face down within everybody’s reach: the [sea].',
    'Lay four cards face up in a row beside it. This row is the [beach]. If a [tide] appears, put it at the bottom of the sea and lay another card.',
    'Deal one card to each player, face up. If it is a tide, deal another one instead and shuffle the tide back.',
    'Whoever last had sand in their shoes begins. If nobody can remember, the youngest player begins.',
  ),
  callout(
    'note',
    'Two players',
    'With two players, lay five cards on the beach instead of four, and play until the sea is empty twice: shuffle the finds that were thrown away to make it again, once.',
  ),
  heading(2, 'How a tideline grows'),
  paragraph(
    'The finds that you take lie before you in one row, in the order in which you took them. This row is your [tideline]. Finds never change places unless a card says so: three cockles in a row are worth more than three cockles with a bottle between them.',
  ),
  paragraph(
    'Everybody may look at everybody’s tideline at any time, and count. There is nothing hidden in the game except the order of the sea.',
  ),
  heading(1, 'Playing', 'playing'),
  paragraph(
    'Players take turns, clockwise. A turn has three steps, always in this order, and none of them may be skipped. Page @ending says when the game ends.',
  ),
  heading(2, 'Your turn', 'turn'),
  rule(1, '**Take.** Choose one find from the [beach] and lay it at the right end of your [tideline].'),
  rule(
    2,
    'You may not take a tide, and you may not pass: as long as there is a find, somebody carries it home.',
  ),
  rule(
    2,
    'If there is no find on the beach, take the top card of the [sea] without looking, and go on with the next step.',
  ),
  rule(1, '**Use.** If the find has a power that works when it is taken, you may use it now, and only now.'),
  rule(
    1,
    '**Fill.** Lay new cards from the sea on the beach until there are four. Every [tide] among them happens at once.',
  ),
  callout(
    'example',
    '',
    'Ines takes the *Blue bead*. She has three pieces of glass now and Tomas has two, so each of hers counts at the moment. She fills the beach: a *Whelk*, and then *Slack water*.',
    'Slack water makes everybody give one find to the left. Ines gives away her *Twine*. Tomas, who sits to her right, gives her a *Limpet*, which lands at the right end of her tideline.',
    'Only then does she lay the fourth card.',
  ),
  heading(2, 'Tides'),
  paragraph(
    'A [tide] is not a find. It happens as soon as it is laid on the beach, to everybody, beginning with the player whose turn it is, and then it goes away. If several tides come one after another, each of them is finished before the next card is laid.',
  ),
  table(
    'Tides and their number in the sea',
    [3, 1, 6],
    ['Tide', 'Cards', 'Effect'],
    ['Ebb', '2', 'Lay two more cards on the beach. It may hold six until it is next filled.'],
    ['Slack water', '2', 'Everybody gives one find to the player on the left, all at the same moment.'],
    ['Spring tide', '2', 'Sweep the beach away, then lay four new cards.'],
  ),
  callout(
    'important',
    'Spring tide',
    'Finds that are swept away are out of the game. Put them on a pile of their own, face down: nobody may look at them before the end.',
  ),
  heading(2, 'The four kinds of finds', 'kinds'),
  heading(3, 'Shells'),
  paragraph(
    'A shell is worth its number. Three shells side by side in your tideline whose numbers follow one another, up or down, are worth two more. A shell can be part of only one such row.',
  ),
  heading(3, 'Glass'),
  paragraph(
    'A piece of glass is worth its number, if nobody has more glass than you. If you have as many pieces as somebody else, and nobody has more, both of you count yours. Players who have less count nothing for glass, however beautiful it is.',
  ),
  heading(3, 'Wood'),
  paragraph(
    'Wood is worth nothing by itself. When you take another find you may throw away one piece of wood from your tideline: then look at the top three cards of the [sea], put them back in any order, and go on. The gap in the tideline closes.',
  ),
  heading(3, 'Rope'),
  paragraph(
    'When you take a rope, tie it to one find beside it by pushing the two cards together. They count as one kind from now on, yours to choose, and nothing can part them again: whoever gets the one gets the other.',
  ),
];

const ending = (): Block[] => [
  heading(1, 'The end of the day', 'ending'),
  paragraph(
    'When the [beach] cannot be filled any more because the [sea] is empty, the player whose turn it is finishes the turn. Then every other player has one more turn, without filling, and the day is over.',
  ),
  heading(2, 'Counting'),
  paragraph(
    'Go through your tideline from left to right and count what each find is worth. Use the table to settle doubts; it holds for every number of players.',
  ),
  table(
    'Values at the end',
    [2, 4, 4],
    ['Kind', 'Worth', 'Remember'],
    [
      'Shell',
      'Its number; two more for each row of three whose numbers follow one another',
      'Rows are counted in the order of the tideline, and no shell is counted in two of them.',
    ],
    [
      'Glass',
      'Its number, if nobody has more glass',
      'A find tied to glass by a rope is glass, too, if its owner says so.',
    ],
    ['Wood', 'Nothing', 'Its use is during the game.'],
    ['Rope', 'The number of the find it is tied to, once more', 'A rope tied to nothing is worth nothing.'],
    ['Tides', 'Nothing', 'They never stay before a player.'],
  ),
  paragraph(
    'Whoever has most has won. If several players have equally many, the one with fewer finds wins: the lighter sack is the better walk. If that is equal, too, they share the victory and the breakfast.',
  ),
  callout(
    'example',
    'Counting a tideline',
    'Tomas has a *Cockle* (1), a *Limpet* (2), a *Whelk* (3), a *Red lens* (6) tied to a *Buoy line* (4), and a *Peg*.',
    'The three shells follow one another: 1 + 2 + 3 and two more make 8. Ines has three pieces of glass, so the lens would count nothing; he calls the pair shells instead. They lie beside the whelk but 6 does not follow 3, so there is no longer row. The lens is worth 6 and the rope 6 once more. The peg is worth nothing: 20 in all.',
  ),
  heading(2, 'Questions that come up'),
  callout(
    'faq',
    'Can I take a card that was laid during my own turn?',
    'No. You take before you fill. What is laid in your turn is for the next player.',
  ),
  callout(
    'faq',
    'What if a Spring tide leaves the sea empty?',
    'Then the beach stays as it is. Finish the turn; everybody else has one more.',
  ),
  callout(
    'faq',
    'Does a rope move when I give away the find it is tied to?',
    'Yes. The two are given together and count as one find. The player who gets them chooses their kind anew at the end.',
  ),
  callout(
    'variant',
    'A longer day',
    'Play three days. Write down what everybody has after each, and let the player with least begin the next one. Whoever has most in all has won.',
  ),
];

const alone = (): Block[] => [
  heading(1, 'Walking alone', 'alone'),
  paragraph(
    'On some mornings nobody else is out. Then you walk against the gulls, who want the same things as you and are less particular about them.',
  ),
  heading(2, 'The gulls'),
  list(
    'steps',
    'Set up as for two players. The gulls have a [tideline] of their own on the far side of the [beach].',
    'After each of your turns the gulls take the find with the highest number. If several have it, they take the one that has lain longest.',
    'The gulls use no wood and tie no rope. What you give them at slack water they keep, and they give you their newest find.',
    'At the end the gulls count every find as its number, whatever its kind.',
  ),
  callout(
    'note',
    '',
    'Gulls do not read. If you are unsure what they would do, choose what is worse for you.',
  ),
  heading(2, 'How well did you do?'),
  paragraph(
    'Take the number of the gulls from your own and look it up here. Most walkers need a few mornings before they come home with more than the birds.',
  ),
  table(
    '',
    [2, 7],
    ['Difference', 'The harbour says'],
    ['Below 0', 'You should have stayed in bed.'],
    ['0 to 5', 'Not bad for somebody without wings.'],
    ['6 to 12', 'There is a shelf in the tavern for such things.'],
    ['13 and more', 'The gulls follow you now, and ask where you are going.'],
  ),
];

const reference = (): Block[] => [
  heading(1, 'Reference', 'reference'),
  heading(2, 'Terms'),
  define('find', 'Find', 'Any card that is not a tide.', ['finds'], ['treasure']),
  define('beach', 'Beach', 'The row of cards, face up, from which finds are taken.'),
  define(
    'sea',
    'Sea',
    'The pile of cards, face down, from which the beach is filled.',
    [],
    ['deck', 'draw pile'],
  ),
  define('tide', 'Tide', 'A card that happens when it is laid, and goes away.', ['tides']),
  define('tideline', 'Tideline', 'The row of finds before a player, in the order in which they were taken.', [
    'tidelines',
  ]),
  heading(2, 'All finds'),
  table(
    '',
    [1, 2, 2, 2, 2],
    ['Worth', 'Shells', 'Glass', 'Wood', 'Rope'],
    ['1', 'Cockle', 'Green shard', 'Cork', 'Twine'],
    ['2', 'Limpet', 'Brown shard', 'Peg', 'Net corner'],
    ['3', 'Whelk', 'Milky pebble', 'Oar blade', 'Sailor’s braid'],
    ['4', 'Razor clam', 'Blue bead', 'Crate lid', 'Buoy line'],
    ['5', 'Scallop', 'Bottle stopper', 'Carved knot', 'Mooring loop'],
    ['6', 'Nautilus', 'Red lens', 'Figurehead', 'Anchor hawser'],
  ),
  heading(2, 'Index'),
  live('index'),
];

export function sampleRulebook(): Rulebook {
  ids = 0;
  return parseRulebook({
    version: RULEBOOK_VERSION,
    title: 'Driftglass',
    subtitle: 'A beachcombing game for two to four',
    language: 'en-gb',
    blocks: [...opening(), ...ending(), ...alone(), ...reference()],
  });
}
