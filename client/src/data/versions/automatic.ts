import type { Project } from '../project/open-project.ts';
import { runsInBrowser } from '../server/database.ts';
import { freezeAutomatically } from './calls.ts';
import type { VersionReason } from './schema.ts';

/** An act waits for its version no longer than this, in milliseconds: the version is an extra. */
export const MAX_WAIT_MS = 3_000;

type Reason = Exclude<VersionReason, '' | 'restore'>;

/**
 * Freezes a project before something that changes much, and ends when that may begin: once it is frozen, after
 * {@link MAX_WAIT_MS}, or at once when it cannot be.
 */
export async function freezeBefore(project: Pick<Project, 'id'>, reason: Reason): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, MAX_WAIT_MS);
  });
  await Promise.race([late, freezeQuietly(project, reason)]);
  clearTimeout(timer);
}

/** Changes of so many cards together are many: they are seldom typed. */
const MANY_CARDS = 25;
/** Writes that follow one another within this, in milliseconds, belong to one change. */
const TOGETHER_MS = 60_000;

const announced = new Set<string>();
const frozenAt = new Map<string, number>();

/** Says that the next write of cards brings an import. @param project its id */
export function importBegins(project: string): void {
  announced.add(project);
}

/**
 * Freezes a project before cards are written, if they are many or brought by an import; see {@link freezeBefore}.
 * @param project its id
 */
export async function freezeBeforeWriting(
  project: string,
  cards: number,
  now: () => number = Date.now,
  freeze: typeof freezeBefore = freezeBefore,
): Promise<void> {
  const isImport = announced.delete(project);
  const isNew = now() - (frozenAt.get(project) ?? Number.NEGATIVE_INFINITY) >= TOGETHER_MS;
  if (!isImport && (cards < MANY_CARDS || !isNew)) return;
  frozenAt.set(project, now());
  await freeze({ id: project }, isImport ? 'import' : 'bulk');
}

/** Freezes a project; a failure is told on the console alone. */
export async function freezeQuietly(project: Pick<Project, 'id'>, reason: Reason): Promise<void> {
  // A visitor's project, in the browser, has no versions.
  if (runsInBrowser()) return;
  try {
    await freezeAutomatically(project, reason);
  } catch (error) {
    console.warn('The project could not be frozen first.', error);
  }
}
