import type { ProjectBundle } from '../../core/archive/bundle.ts';
import type { GameBox } from '../../core/play/box/pack.ts';
import { checkPieces, type SetUp, suggestedSetUp } from '../../core/play/box/set-up.ts';
import { SEAT_COLOURS } from '../../core/play/view/seat-colours.ts';
import { ProjectDocuments, packDocuments } from './packing.ts';

/** The game of sample tables as the server reads it: `SampleGame` of `functions-host/src/table/samples.rs`. */
export interface SampleTable {
  readonly name: string;
  readonly box: ReturnType<typeof withoutProject>;
  readonly setUp: SetUp;
  readonly seats: readonly { readonly name: string; readonly colour: number }[];
}

/** Seats of a sample table. */
const SEATS = 4;

/** Whatever: documents lie below a project. */
const PROJECT = 'sample';

/**
 * Packs a game that comes with the application for sample tables. Their server takes no box from a browser.
 * @throws Error when the game needs more than its documents: pictures of a library, or texts that are set alike
 */
export async function packSample(game: ProjectBundle): Promise<SampleTable> {
  const documents = new ProjectDocuments();
  documents.take({ no: 1, project: PROJECT, components: [], documents: documentsOf(game) });
  const request = { project: PROJECT, components: game.components.map(({ id }) => id) };
  const { box, components } = await packDocuments(documents, request, () => () => {
    throw new Error('Texts of the sample game are not set alike: that takes fonts, which the build has not.');
  });
  const setUp = suggestedSetUp(components);
  checkPieces(components, setUp, SEATS);
  const seats = SEAT_COLOURS.slice(0, SEATS).map(([name, colour]) => ({ name, colour }));
  return { name: game.project.name, box: withoutProject(box), setUp, seats };
}

function documentsOf({ components, layouts, images }: ProjectBundle) {
  if (images.length > 0) throw new Error('The sample game has images of its own, which no table would show.');
  return Object.fromEntries<Record<string, unknown>>([
    ...layouts.map(({ key, name, scene }) => [
      `layouts/${key}`,
      { name, scene, version: scene['version'], updatedAt: 0 },
    ]),
    ...components.flatMap(({ id, fields, cards }, order) => [
      [`components/${id}`, { ...fields, order }],
      ...cards.map(({ id: card, more, ...own }, place) => [
        `components/${id}/cards/${card}`,
        { ...more, ...own, order: place },
      ]),
    ]),
  ] as [string, Record<string, unknown>][]);
}

/** Its cards are of no project that the table could follow. */
const withoutProject = ({ definitions, sets, ...box }: GameBox) => ({
  ...box,
  definitions: definitions.map(({ source: _, ...definition }) => definition),
  sets: sets.map(({ component: _, ...set }) => set),
});
