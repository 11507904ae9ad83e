import type { ImageLibrary } from '../../core/images/library.ts';
import { sourcesInCell, sourcesInScene } from '../../core/images/sources.ts';
import type { PrintPart } from '../../core/imposition/job/print-job.ts';
import { type GroupSizes, hasGroups, withGroupSizes } from '../../core/layout/group-sizes.ts';
import { isPlayed, type PackPart, type packBox } from '../../core/play/box/pack.ts';
import type { CarriedImage } from '../../core/play/protocol/looks.ts';
import type { Column, Row } from '../../core/scene/card/row.ts';
import type { Layout } from '../../core/scene/layout.ts';
import { cardUnits } from '../../core/translation/cards/card-units.ts';
import type { Entries } from '../../core/translation/translation.ts';
import type { Card, Component, LayoutDocument, WithId } from '../documents/documents.ts';
import { ownLayouts } from '../layouts/own-layouts.ts';
import { type ProjectPart, projectParts } from '../project/project-parts.ts';
import {
  allLanguages,
  type CardContents,
  cardLanguage,
  cardSets,
  partInLanguage,
  partWithLanguages,
} from '../translations/card-language.ts';

/** Longest cell that is looked up whole as the name of a picture, in characters. */
const MAX_NAMED = 200;

/** Sizes of the texts that a layout sets alike on all cards of a component. */
export type FitGroups = (
  layout: Layout,
  rows: readonly Row[],
  columns: readonly Column[],
) => Promise<GroupSizes>;

/** Documents of a project that its box is made of. */
export interface BoxDocuments {
  readonly components: readonly WithId<Component>[];
  /** The cards of a component, in their order and with their formulas worked out. */
  readonly cardsOf: (component: WithId<Component>) => Promise<readonly WithId<Card>[]>;
  readonly layouts: readonly WithId<LayoutDocument>[];
  readonly library: ImageLibrary;
  /** Missing where nothing is known of languages. */
  readonly translations?: StoredLanguages;
}

/** Languages of a project's cards as they are stored. */
export interface StoredLanguages {
  /** Language of the cards' own words. */
  readonly source: string;
  /** Translations by the tag of their language. */
  readonly entries: ReadonlyMap<string, Entries>;
}

/** A project's components as they lie on a table, and the names of those that cannot. */
export interface ReadParts {
  readonly parts: readonly PackPart[];
  /** Components that are left out, with the reason. */
  readonly without: readonly { readonly name: string; readonly why: string }[];
  readonly picturesOf: Parameters<typeof packBox>[1];
  /** Language of the cards' own words, if it is known. */
  readonly source: string | undefined;
}

/** The parts that a box is packed of, in all languages of their project. */
export async function partsOf(documents: BoxDocuments, fitGroups: FitGroups): Promise<ReadParts> {
  const { components, cardsOf, library, translations } = documents;
  const layouts = ownLayouts(documents.layouts, translations?.source ?? '');
  const contents: CardContents[] = [];
  const made: ProjectPart[] = [];
  const without: { name: string; why: string }[] = [];
  for (const component of components) {
    if (!isPlayed(component.kind)) {
      without.push({ name: component.name, why: 'its rows are pages, not pieces' });
      continue;
    }
    const cards = await cardsOf(component);
    contents.push({ component, cards });
    const own = projectParts(component, cards, layouts);
    const copies = own.reduce(
      (sum, { part }) => sum + part.cards.reduce((all, card) => all + card.copies, 0),
      0,
    );
    if (own.length === 0) without.push({ name: component.name, why: 'it has no layout or no cards yet' });
    else if (copies === 0) without.push({ name: component.name, why: 'its cards have no copies' });
    made.push(...own);
  }
  const inLanguages = speaking(contents, layouts, translations);
  const parts = await Promise.all(
    made.map(async (one): Promise<PackPart> => {
      const { part, spoken } = inLanguages(one);
      const others = spoken.map(
        async ([tag, other]): Promise<[string, PrintPart]> => [tag, await fitted(other, fitGroups)],
      );
      return {
        ...packPart(part),
        part: await fitted(part, fitGroups),
        ...(others.length > 0 && { spoken: new Map(await Promise.all(others)) }),
      };
    }),
  );
  const picturesOf: ReadParts['picturesOf'] = (content) => picturesIn(content, library);
  return { parts, without, picturesOf, source: translations?.source };
}

/** A part with what its formulas know of languages, and the part in each of them. */
interface SpokenPart {
  readonly part: ProjectPart;
  readonly spoken: readonly (readonly [language: string, part: ProjectPart])[];
}

function speaking(
  contents: readonly CardContents[],
  layouts: BoxDocuments['layouts'],
  translations: StoredLanguages | undefined,
): (part: ProjectPart) => SpokenPart {
  if (!translations || translations.entries.size === 0) return (part) => ({ part, spoken: [] });
  const sets = cardSets(contents, layouts);
  const units = cardUnits(sets);
  const { source, entries } = translations;
  const languages = [...entries].map(([tag, one]) => cardLanguage(tag, sets, one, units));
  const all = allLanguages(source, sets, entries);
  return (one) => {
    const part = partWithLanguages(one, all);
    return { part, spoken: languages.map((language) => [language.language, partInLanguage(part, language)]) };
  };
}

/** A part of a project as a box takes it. */
export const packPart = ({ component, cards, part }: ProjectPart): PackPart => ({
  component: component.id,
  name: component.name,
  kind: component.kind,
  part,
  ids: cards.map(({ id }) => id),
});

async function fitted({ part }: ProjectPart, fitGroups: FitGroups): Promise<PrintPart> {
  const rows = part.cards.map(({ row }) => row);
  const withSizes = async (layout: Layout): Promise<Layout> =>
    hasGroups(layout) ? withGroupSizes(layout, await fitGroups(layout, rows, part.columns)) : layout;
  return { ...part, layout: await withSizes(part.layout), back: part.back && (await withSizes(part.back)) };
}

/** The pictures that a layout or a row names; those of the stock are everybody's. */
function picturesIn(
  content: Parameters<ReadParts['picturesOf']>[0],
  library: ImageLibrary,
): readonly CarriedImage[] {
  const sources =
    'scene' in content ? sourcesInScene(content.scene) : sourcesInRow(content.row, content.part.columns);
  const found = new Map<string, CarriedImage>();
  for (const source of sources) {
    const image = library.find(source);
    if (image?.shelf !== 'image') continue;
    const { id, path, former, url, crop, focus } = image;
    found.set(id, { id, path, former, url, ...(crop && { crop }), ...(focus && { focus }) });
  }
  return [...found.values()];
}

/** Names of pictures that a row may show. */
export function sourcesInRow({ cells }: Pick<Row, 'cells'>, columns: readonly Column[]): string[] {
  const images = new Set(
    columns.filter((column) => (column as { type?: string }).type === 'image').map(({ key }) => key),
  );
  // Any column may fill a picture of the layout.
  return Object.entries(cells).flatMap(([key, text]) => [
    ...sourcesInCell(text, images.has(key)),
    ...(text.length <= MAX_NAMED && text.trim() !== '' ? [text] : []),
  ]);
}
