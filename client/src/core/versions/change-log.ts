import type { BlockChange } from '../book/comparison/compare.ts';
import { listInWords } from '../text/list-in-words.ts';
import type { CardDifference, CellChange } from './cards.ts';
import type { ComponentDifference } from './components.ts';
import type { Difference } from './difference.ts';
import { excerpts } from './excerpt.ts';
import { type FieldChange, valueWords } from './field-changes.ts';
import type { RulebookDifference } from './rulebooks.ts';

/** Most lines of one part of the log; the rest is counted. */
const MAX_LINES = 300;

/** Columns that say how cards look, not what is on them. */
const LOOKS: ReadonlySet<string> = new Set(['style', 'colour']);

/** Texts of a rulebook that changed, by its id; without an entry, it is said only that its text changed. */
export type BlocksByRulebook = ReadonlyMap<string, readonly BlockChange[]>;

const quoted = (text: string): string => (/^[\p{L}\p{N}.,+−-]{1,24}$/u.test(text) ? text : `“${text}”`);

function cellLine({ column, type, before, after }: CellChange): string | undefined {
  if (LOOKS.has(type)) return undefined;
  if (type === 'image')
    return before === '' ? 'a picture' : after === '' ? 'no picture any more' : 'another picture';
  const [was, is] = excerpts(before, after);
  if (was === '') return `${column} ${quoted(is)} (it had none)`;
  if (is === '') return `${column} ${quoted(was)} is gone`;
  return `${column} ${quoted(was)} → ${quoted(is)}`;
}

function copiesLine(fields: readonly FieldChange[]): string[] {
  const copies = fields.find(({ field }) => field === 'copies');
  return copies ? [`copies ${valueWords(copies.before)} → ${valueWords(copies.after)}`] : [];
}

function cardLines(card: CardDifference): string[] {
  if (card.change === 'added') return [`New: ${card.name}`];
  if (card.change === 'removed') return [`Gone: ${card.name}`];
  const cells = card.cells.flatMap((cell) => cellLine(cell) ?? []);
  return [...cells, ...copiesLine(card.fields)].map((line) => `${card.name}: ${line}`);
}

function componentLines(component: ComponentDifference): string[] {
  const { change, name, fields, columns, cards } = component;
  if (change === 'removed') return [`${name} is gone, with all of its cards.`];
  const renamed = fields.find(({ field }) => field === 'name');
  const added = columns.filter((one) => one.change === 'added').map((one) => one.name);
  const gone = columns.filter((one) => one.change === 'removed').map((one) => one.name);
  return [
    ...(change === 'added' ? ['New in the box.'] : []),
    ...(renamed ? [`Called ${valueWords(renamed.before)} before.`] : []),
    ...(added.length > 0 ? [`Cards say more: ${listInWords(added)}.`] : []),
    ...(gone.length > 0 ? [`No longer on the cards: ${listInWords(gone)}.`] : []),
    ...cards.flatMap(cardLines),
  ];
}

function blockLine({ change, words }: BlockChange): string | undefined {
  const text = (without: 'added' | 'removed') =>
    words.flatMap((one) => (one.change === without ? [] : [one.text])).join('');
  const [was, is] = excerpts(text('added'), text('removed'));
  if (change === 'added') return is === '' ? undefined : `New: “${is}”`;
  if (change === 'removed') return was === '' ? undefined : `Gone: “${was}”`;
  if (change === 'changed') return `“${was}” → “${is}”`;
  return undefined;
}

function rulebookLines(rulebook: RulebookDifference, blocks: readonly BlockChange[] | undefined): string[] {
  if (rulebook.change === 'removed') return ['This rulebook is gone.'];
  if (rulebook.change === 'added') return ['This rulebook is new.'];
  const told = (blocks ?? []).flatMap((block) => blockLine(block) ?? []);
  const untold = rulebook.text && !blocks ? ['Its text changed.'] : [];
  return [...told, ...untold];
}

function part(title: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  const rest = lines.length - MAX_LINES;
  return [
    [
      title,
      ...lines.slice(0, MAX_LINES).map((line) => `- ${line}`),
      ...(rest > 0 ? [`- and ${rest} more`] : []),
    ].join('\n'),
  ];
}

/** The look of cards and boards, in a line each. */
function lookLines({ layouts, images }: Difference): string[] {
  const spaces = layouts.flatMap(({ name, change, zones }) => {
    if (change !== 'changed' || zones.length === 0) return change === 'added' ? [`New layout: ${name}`] : [];
    const names = [
      ...new Set(zones.filter(({ id }) => id !== 'base' && id !== 'variables').map((zone) => zone.name)),
    ];
    return [names.length > 0 ? `${name}: ${listInWords(names)}` : `${name} looks different.`];
  });
  const pictures = images
    .filter(({ content, change }) => content && change === 'changed')
    .map(({ name }) => name);
  return [...spaces, ...(pictures.length > 0 ? [`New pictures: ${listInWords(pictures)}`] : [])];
}

/**
 * Changes as a text for players, to be edited and passed on: what is on cards and in rules. It leaves out what they do not
 * see, such as the status of cards, the order of tables and settings of prints.
 */
export function changeLog(
  title: string,
  difference: Difference,
  blocks: BlocksByRulebook = new Map(),
): string {
  const parts = [
    ...difference.components.flatMap((one) => part(one.name, componentLines(one))),
    ...difference.rulebooks.flatMap((one) => part(one.title, rulebookLines(one, blocks.get(one.id)))),
    ...part('The look', lookLines(difference)),
  ];
  return `${[title, ...(parts.length > 0 ? parts : ['Nothing that players see.'])].join('\n\n')}\n`;
}
