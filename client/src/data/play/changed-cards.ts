import { getDoc, getDocs } from '@sdk/firestore';
import { cardName } from '../../core/imposition/job/card-name.ts';
import type { CardChange } from '../../core/play/protocol/messages.ts';
import { readCardDocuments } from '../cards/cards.ts';
import { type Component, cardSchema, componentSchema, type WithId } from '../documents/documents.ts';
import { openProject, type Project } from '../project/open-project.ts';

/** Cards of a component that are named. */
const MAX_NAMED = 20;

/** Names of changed cards by component, for those who may read the project. A card that is gone has none. */
export async function changedCardNames(
  project: Project,
  { components }: Pick<CardChange, 'components'>,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const named = await Promise.all(
    components.map(async ({ id, cards = [] }) => {
      if (id === undefined) return undefined;
      const component = componentSchema.safeParse((await getDoc(project.component(id))).data());
      if (!component.success) return undefined;
      const { columns } = component.data;
      const found = await Promise.all(
        cards.slice(0, MAX_NAMED).map(async (card) => (await getDoc(project.card(id, card))).data()),
      );
      const names = found.flatMap((data) => {
        const read = cardSchema.safeParse(data);
        return read.success ? [cardName({ cells: read.data.cells }, columns, read.data.order)] : [];
      });
      return [id, names] as const;
    }),
  );
  return new Map(named.filter((one) => one !== undefined));
}

/** A component with the names of its cards by their ids. */
export interface NamedCards {
  readonly name: string;
  readonly cards: ReadonlyMap<string, string>;
}

/** Names of components and of all their cards, for those who see the project. What is gone has none. */
export async function namedCards(
  project: Project,
  ids: readonly string[],
): Promise<ReadonlyMap<string, NamedCards>> {
  const components = await componentsOf(project, ids);
  const named = await Promise.all(
    components.map(async ({ id, name, columns }) => {
      const documents = await readCardDocuments(project, id);
      const cards = documents.flatMap((document, at) => {
        const read = cardSchema.safeParse(document.data());
        return read.success
          ? [[document.id, cardName({ cells: read.data.cells }, columns, at)] as const]
          : [];
      });
      return [id, { name, cards: new Map(cards) }] as const;
    }),
  );
  return new Map(named);
}

/** Components of a project that a table has, as they are now. */
export async function componentsOf(
  project: Project,
  ids: readonly string[],
): Promise<readonly WithId<Component>[]> {
  const { docs } = await getDocs(project.components);
  return docs
    .flatMap((doc) => {
      const read = componentSchema.safeParse(doc.data());
      return read.success && ids.includes(doc.id) ? [{ ...read.data, id: doc.id }] : [];
    })
    .sort((a, b) => a.order - b.order);
}

/** The project of a table. */
export const projectOf = ({
  projectId: id,
  ownerId: owner,
}: {
  readonly projectId: string;
  readonly ownerId: string;
}): Project => openProject({ id, owner });
