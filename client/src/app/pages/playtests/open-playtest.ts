import { PackError, type PackedBox, packBox } from '../../../core/play/box/pack.ts';
import { checkPieces, suggestedSetUp } from '../../../core/play/box/set-up.ts';
import { SEAT_COLOURS } from '../../../core/play/view/seat-colours.ts';
import type { Component, WithId } from '../../../data/documents/documents.ts';
import { adoptBeforeSharing } from '../../../data/images/project-images.ts';
import type { ReadParts } from '../../../data/play/parts.ts';
import { readParts } from '../../../data/play/read-parts.ts';
import { openTable } from '../../../data/play/tables.ts';
import type { Project } from '../../../data/project/open-project.ts';
import { readOpenedId } from '../../../data/versions/opened.ts';
import { sharedRenderer } from '../../painting/renderer.ts';

export interface PlaytestWish {
  readonly name: string;
  readonly seats: number;
  readonly components: readonly WithId<Component>[];
  /** Name of the one who opens it, for the first seat. */
  readonly host: string;
}

/** A table that was opened. */
export interface OpenedPlaytest {
  readonly id: string;
  /** Languages of the project for which it has no room. */
  readonly without: readonly string[];
}

/**
 * Packs a project and opens a table of it with the suggested set-up. The table of an opened version
 * belongs to the version's project.
 * @throws PackError when the components make no table, naming them
 */
export async function openPlaytest(project: Project, wish: PlaytestWish): Promise<OpenedPlaytest> {
  const { box, components, without } = await packProject(project, wish.components);
  const setUp = suggestedSetUp(components);
  checkPieces(components, setUp, wish.seats);
  const seats = Array.from({ length: wish.seats }, (_, no) => {
    const [name, colour] = SEAT_COLOURS[no % SEAT_COLOURS.length] ?? ['Seat', 0];
    return { name: no === 0 ? wish.host : name, colour };
  });
  const { project: of = project.id, version } = readOpenedId(project.id) ?? {};
  const id = await openTable({ project: of, version, name: wish.name, box, setUp, seats });
  return { id, without };
}

/**
 * Packs components of a project as they are now.
 * @throws PackError when the components make no table, naming them
 */
export async function packProject(
  project: Project,
  components: readonly WithId<Component>[],
): Promise<PackedBox> {
  const fit = (...args: Parameters<ReturnType<typeof sharedRenderer>['fitGroups']>) =>
    sharedRenderer().fitGroups(...args);
  // The table's pictures are the project's, so that they stay while it does. A version has all that it shows.
  if (!readOpenedId(project.id)) await adoptBeforeSharing(project);
  return packed(await readParts(project, components, fit));
}

/** A project of which nothing can be played says why of each component. */
function packed({ parts, picturesOf, without, source }: ReadParts): PackedBox {
  if (parts.length === 0 && without.length > 0) {
    const reasons = without.map(({ name, why }) => `${name}: ${why}`).join('; ');
    throw new PackError(`Nothing can lie on a table yet. ${reasons}.`);
  }
  return packBox(parts, picturesOf, source);
}
