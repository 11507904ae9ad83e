import type { CardText } from '../../core/book/checks/checks.ts';
import type { Inline, Rulebook } from '../../core/book/document/schema.ts';
import { allBlocks, inlinesOf } from '../../core/book/document/walk.ts';
import type { TextFacts } from '../../core/book/edition/plain-text.ts';
import type { AbsentCard, Counted } from '../../core/book/typesetting/context.ts';
import type { ProjectScope } from '../../core/expression/evaluate.ts';
import { evaluate, textOf, type Value } from '../../core/expression/expression.ts';
import { rowScope } from '../../core/expression/row-scope.ts';
import { cellAt } from '../../core/records.ts';
import type { Layout } from '../../core/scene/layout.ts';
import { escapePattern } from '../../core/text/escape-pattern.ts';
import type { ProjectFacts, ShownCard } from '../../workers/rulebook/rulebook-protocol.ts';
import type { LayoutDocument, WithId } from '../documents/documents.ts';
import { frontPainter } from '../layouts/card-layout.ts';
import { type BookPart, type CardNames, cardNames, type NamedCard } from './card-names.ts';
import { setUpFacts } from './set-up-facts.ts';

/** An icon of the project's layouts. */
export interface NamedIcon {
  readonly name: string;
  readonly source: string;
  readonly token: string;
  readonly anywhere: boolean;
}

/** Every icon of the layouts by its name; of several with one name, the first. */
export function namedIcons(layouts: readonly WithId<LayoutDocument>[]): ReadonlyMap<string, NamedIcon> {
  const icons = new Map<string, NamedIcon>();
  for (const { scene } of layouts) {
    for (const variable of scene.variables) {
      if (variable.kind !== 'icon' || variable.source === '' || icons.has(variable.name)) continue;
      const { name, source, token = '', anywhere = false } = variable;
      icons.set(name, { name, source, token, anywhere });
    }
  }
  return icons;
}

const fold = (name: string) => name.trim().toLowerCase();

/** Number of a component's cards, copies counted. */
const countOf = ({ cards }: BookPart): number => cards.reduce((sum, { copies }) => sum + copies, 0);

/** Cards by name and by component, for formulas of a text. */
function projectScope(
  parts: readonly BookPart[],
  partOf: (name: string) => BookPart | undefined,
): ProjectScope {
  return {
    field(name, column) {
      const found = namedInAnyCase(parts, name);
      if (!found) return undefined;
      const wanted = fold(column);
      const { columns } = found.component;
      const known =
        columns.find((one) => fold(one.name) === wanted) ?? columns.find(({ key }) => fold(key) === wanted);
      return known ? cellAt(found.card.cells, known.key) : null;
    },
    cards(name) {
      const part = partOf(name);
      return part?.cards.map(({ cells, copies }, at) => ({
        copies,
        scope: rowScope({ cells, index: at + 1, count: part.cards.length }, part.component.columns),
      }));
    },
  };
}

/** The card of a name, in any case where none is written just so. */
function namedInAnyCase(parts: readonly BookPart[], name: string): NamedCard | undefined {
  const { cards } = cardNames(parts);
  return cards.get(name) ?? [...cards.values()].find((one) => fold(one.name) === fold(name));
}

function workedOut(formula: string, parts: readonly BookPart[]): { text: string } | { error: string } {
  const partOf = (name: string) => parts.find(({ component }) => fold(component.name) === fold(name));
  const counts = (name: string): Value | undefined => {
    const part = partOf(name);
    return part && countOf(part);
  };
  const result = evaluate(formula, Object.assign(counts, { project: projectScope(parts, partOf) }));
  return result.ok ? { text: textOf(result.value) } : { error: result.error.message };
}

/** Icons that a text shows. */
function iconsIn(text: string, icons: readonly NamedIcon[]): string[] {
  const lower = text.toLowerCase();
  return icons
    .filter(
      ({ name, token, anywhere }) =>
        lower.includes(`{${fold(name)}}`) ||
        (token !== '' && text.includes(token)) ||
        (anywhere && new RegExp(`\\b${escapePattern(name)}\\b`).test(text)),
    )
    .map(({ name }) => name);
}

/** Texts of the cards and icons of projects that were asked for: every letter of a document's text asks again. */
const knownTexts = new WeakMap<
  readonly BookPart[],
  WeakMap<readonly WithId<LayoutDocument>[], readonly CardText[]>
>();

function cardTexts(
  parts: readonly BookPart[],
  layouts: readonly WithId<LayoutDocument>[],
): readonly CardText[] {
  const ofParts = knownTexts.get(parts) ?? new WeakMap();
  const known = ofParts.get(layouts) ?? readTexts(parts, [...namedIcons(layouts).values()]);
  knownTexts.set(parts, ofParts.set(layouts, known));
  return known;
}

function readTexts(parts: readonly BookPart[], icons: readonly NamedIcon[]): readonly CardText[] {
  const { nameOf, shared } = cardNames(parts);
  return parts.flatMap(({ component, cards }) =>
    cards.map((card): CardText => {
      const name = nameOf.get(card) ?? '';
      const also = shared.get(name)?.[0];
      const text = component.columns
        .filter(({ type }) => type !== 'image' && type !== 'style' && type !== 'colour')
        .map(({ key }) => cellAt(card.cells, key))
        .join('\n');
      return {
        name,
        ...(also !== undefined && { also }),
        place: { component: component.id, card: card.id },
        text,
        icons: iconsIn(text, icons),
      };
    }),
  );
}

function shownCard(
  { name, component, card }: NamedCard,
  layouts: readonly WithId<LayoutDocument>[],
): ShownCard | undefined {
  const own = layouts.find(({ id }) => id === component.layoutId)?.scene;
  const layout: Layout | undefined = own && frontPainter(component, layouts, own)(card);
  if (!layout) return undefined;
  const words = component.columns.map(({ key }) => cellAt(card.cells, key)).filter((text) => text !== '');
  const alt = [name, ...words.filter((text) => text !== name)].join('. ');
  return { name, layout, row: { cells: card.cells }, columns: component.columns, alt };
}

/**
 * All that a document takes from its project, for the worker that sets it.
 * @param named with the cards that the text only names too
 */
export function projectFacts(
  doc: Rulebook,
  parts: readonly BookPart[],
  layouts: readonly WithId<LayoutDocument>[],
  named = false,
): ProjectFacts {
  const blocks = [...allBlocks(doc.blocks)];
  const inlines = blocks.flatMap((block) => inlinesOf(block).flat());
  const known = cardNames(parts);
  const { cards, nameOf } = known;
  const icons = namedIcons(layouts);
  const names = new Set(blocks.flatMap((block) => (block.type === 'cards' ? block.names : [])));
  if (named) for (const name of inlines.flatMap(cardIn)) names.add(name);
  const listed = blocks.some((block) => block.type === 'live' && block.show === 'components');
  const components = parts.map((part): Counted => {
    const [first] = part.cards;
    const card = listed && first ? nameOf.get(first) : undefined;
    return { name: part.component.name, count: countOf(part), ...(card !== undefined && { card }) };
  });
  for (const { card } of components) if (card !== undefined) names.add(card);
  const shown = new Map([...names].map((name) => [name, shownNamed(name, cards, layouts)]));
  const texts = cardTexts(parts, layouts);
  const used = new Set([...texts.flatMap((card) => card.icons), ...inlines.flatMap(iconName)]);
  const formulas = new Set(inlines.flatMap((inline) => (inline.type === 'value' ? [inline.formula] : [])));
  return {
    components,
    icons: [...icons.values()]
      .filter(({ name }) => used.has(name))
      .map(({ name, source }) => ({ name, source, meaning: '' })),
    cards: [...shown.values()].filter((card) => card !== undefined),
    absent: absentOf(
      [...shown].filter(([, card]) => !card).map(([name]) => name),
      inlines,
      known,
    ),
    shared: [...new Set([...names, ...inlines.flatMap(cardIn)])].flatMap((name) => {
      const each = known.shared.get(name);
      return each ? [[name, each] as const] : [];
    }),
    ...(blocks.some((block) => block.type === 'live' && block.show === 'setup') && {
      setUp: setUpFacts(parts, layouts),
    }),
    values: [...formulas].map((formula) => [formula, workedOut(formula, parts)] as const),
    texts,
  };
}

const shownNamed = (
  name: string,
  cards: ReadonlyMap<string, NamedCard>,
  layouts: readonly WithId<LayoutDocument>[],
): ShownCard | undefined => {
  const found = cards.get(name);
  return found && shownCard(found, layouts);
};

/** The cards that a document names and that cannot be shown, each with the one whose name is most like it. */
function absentOf(
  unshown: readonly string[],
  inlines: readonly Inline[],
  { cards, similar }: CardNames,
): ProjectFacts['absent'] {
  const said = inlines.flatMap(cardIn);
  const names = new Set([...unshown, ...said.filter((name) => !cards.has(name))]);
  return [...names].map((name): [string, AbsentCard] => {
    if (cards.has(name)) return [name, { reason: 'no-layout' }];
    const instead = similar.find(name);
    return [name, { reason: 'gone', ...(instead !== undefined && { instead }) }];
  });
}

const cardIn = (inline: Inline): string[] => (inline.type === 'card' ? [inline.name] : []);
const iconName = (inline: Inline): string[] => (inline.type === 'icon' ? [inline.name] : []);

/** The part of a project that a text without looks says. */
export function textFacts({ components, values, setUp }: ProjectFacts): TextFacts {
  return {
    components,
    values: new Map(
      values.flatMap(([formula, value]) => ('text' in value ? [[formula, value.text] as const] : [])),
    ),
    ...(setUp && 'legend' in setUp && { setUp: setUp.legend.map(({ words }) => words) }),
  };
}
