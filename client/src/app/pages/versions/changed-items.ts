import { listInWords } from '../../../core/text/list-in-words.ts';
import type { Difference } from '../../../core/versions/difference.ts';

/** A line of the list of changes. */
export interface ChangedItem {
  readonly key: string;
  readonly label: string;
  readonly change: 'added' | 'removed' | 'changed' | 'moved';
  /** It belongs to the line above it that is none of these. */
  readonly inner?: true;
  /** Number of cards that changed with it. */
  readonly cards?: number;
}

export interface ItemGroup {
  readonly title: string;
  readonly items: readonly ChangedItem[];
  /** Lines that are left out. */
  readonly more: number;
}

/** Most cards listed of one component; the component's own page of changes has more of them. */
const MAX_CARDS = 200;

export const componentKey = (id: string): string => `component ${id}`;
export const cardKey = (component: string, id: string): string => `card ${component} ${id}`;
export const layoutKey = (id: string): string => `layout ${id}`;
export const rulebookKey = (id: string): string => `rulebook ${id}`;
export const fileKey = (path: string): string => `file ${path}`;
export const presetKey = (id: string): string => `preset ${id}`;
export const languageKey = (tag: string): string => `language ${tag}`;
export const NOTES_KEY = 'notes';
export const SETTINGS_KEY = 'settings';
export const UNKNOWN_KEY = 'unknown';

const presence = <C extends string>(change: C | 'same') => (change === 'same' ? 'changed' : change);

function componentItems({ components }: Difference): ItemGroup {
  let more = 0;
  const items = components.flatMap(({ id, name, change, cards }): ChangedItem[] => {
    more += Math.max(0, cards.length - MAX_CARDS);
    const own: ChangedItem = {
      key: componentKey(id),
      label: name,
      change: presence(change),
      ...(cards.length > 0 && { cards: cards.length }),
    };
    const inner = cards.slice(0, MAX_CARDS).map(
      (card): ChangedItem => ({
        key: cardKey(id, card.id),
        label: card.name,
        change: card.change,
        inner: true,
      }),
    );
    return [own, ...inner];
  });
  return { title: 'Components and cards', items, more };
}

/** All changes as a list, by what they are of; groups without any are left out. */
export function itemGroups(difference: Difference): readonly ItemGroup[] {
  const { layouts, rulebooks, images, fonts, languages, presets, notes, settings, unknown } = difference;
  const group = (title: string, items: readonly ChangedItem[]): ItemGroup => ({ title, items, more: 0 });
  const files = (list: Difference['images']) =>
    list.map(({ path, name, change }) => ({ key: fileKey(path), label: name, change }));
  return [
    componentItems(difference),
    group(
      'Layouts',
      layouts.map(({ id, name, change }) => ({ key: layoutKey(id), label: name, change })),
    ),
    group(
      'Rulebooks',
      rulebooks.map(({ id, title, change }) => ({
        key: rulebookKey(id),
        label: title,
        change: presence(change),
      })),
    ),
    group('Images', files(images)),
    group('Fonts', files(fonts)),
    group(
      'Languages of the cards',
      languages.map(({ language, name, change }) => ({ key: languageKey(language), label: name, change })),
    ),
    group('Notes and settings', [
      ...(notes ? [{ key: NOTES_KEY, label: 'Notes', change: 'changed' } as const] : []),
      ...(settings ? [{ key: SETTINGS_KEY, label: 'Project', change: 'changed' } as const] : []),
      ...presets.map(({ id, name, change }) => ({ key: presetKey(id), label: name, change })),
      ...(unknown.length > 0
        ? [{ key: UNKNOWN_KEY, label: 'What this page does not know', change: 'changed' } as const]
        : []),
    ]),
  ].filter(({ items }) => items.length > 0);
}

const counted = (n: number, one: string, many: string): string[] =>
  n === 0 ? [] : [`${n} ${n === 1 ? one : many}`];

/** All changes, counted, in a line: `3 cards and 1 layout`. */
export function summary(difference: Difference): string {
  const { components, layouts, rulebooks, images, fonts, languages, presets, notes, settings, unknown } =
    difference;
  const cards = components.reduce((sum, one) => sum + one.cards.length, 0);
  return listInWords([
    ...counted(cards, 'card', 'cards'),
    ...counted(components.filter(({ change }) => change !== 'same').length, 'component', 'components'),
    ...counted(layouts.length, 'layout', 'layouts'),
    ...counted(rulebooks.length, 'rulebook', 'rulebooks'),
    ...counted(images.length, 'image', 'images'),
    ...counted(fonts.length, 'font', 'fonts'),
    ...counted(languages.length, 'language', 'languages'),
    ...counted(presets.length, 'print setting', 'print settings'),
    ...(notes ? ['the notes'] : []),
    ...(settings ? ['the settings of the project'] : []),
    ...counted(unknown.length, 'other document', 'other documents'),
  ]);
}
