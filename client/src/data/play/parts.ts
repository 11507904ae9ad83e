import type { ImageLibrary } from '../../core/images/library.ts';
import { sourcesInCell, sourcesInScene } from '../../core/images/sources.ts';
import { type GroupSizes, hasGroups, withGroupSizes } from '../../core/layout/group-sizes.ts';
import { isPlayed, type PackPart, type packBox } from '../../core/play/box/pack.ts';
import type { CarriedImage } from '../../core/play/protocol/looks.ts';
import type { Column, Row } from '../../core/scene/card/row.ts';
import type { Layout } from '../../core/scene/layout.ts';
import type { Card, Component, LayoutDocument, WithId } from '../documents/documents.ts';
import { type ProjectPart, projectParts } from '../project/project-parts.ts';

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
}

/** A project's components as they lie on a table, and the names of those that cannot. */
export interface ReadParts {
  readonly parts: readonly PackPart[];
  /** Components that are left out, with the reason. */
  readonly without: readonly { readonly name: string; readonly why: string }[];
  readonly picturesOf: Parameters<typeof packBox>[1];
}

/** The parts that a box is packed of. */
export async function partsOf(documents: BoxDocuments, fitGroups: FitGroups): Promise<ReadParts> {
  const { components, cardsOf, layouts, library } = documents;
  const parts: PackPart[] = [];
  const without: { name: string; why: string }[] = [];
  for (const component of components) {
    if (!isPlayed(component.kind)) {
      without.push({ name: component.name, why: 'its rows are pages, not pieces' });
      continue;
    }
    const made = projectParts(component, await cardsOf(component), layouts);
    const copies = made.reduce(
      (sum, { part }) => sum + part.cards.reduce((all, card) => all + card.copies, 0),
      0,
    );
    if (made.length === 0) without.push({ name: component.name, why: 'it has no layout or no cards yet' });
    else if (copies === 0) without.push({ name: component.name, why: 'its cards have no copies' });
    for (const one of made) {
      parts.push({ ...packPart(one), part: await fitted(one, fitGroups) });
    }
  }
  return { parts, without, picturesOf: (content) => picturesIn(content, library) };
}

/** A part of a project as a box takes it. */
export const packPart = ({ component, cards, part }: ProjectPart): PackPart => ({
  component: component.id,
  name: component.name,
  kind: component.kind,
  part,
  ids: cards.map(({ id }) => id),
});

async function fitted({ part }: ProjectPart, fitGroups: FitGroups): Promise<ProjectPart['part']> {
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
