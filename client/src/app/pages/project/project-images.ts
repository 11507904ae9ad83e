import { useEffect } from 'react';
import { onOwnChange } from '../../../data/images/noted-changes.ts';
import { adoptNewlyShown, followProjectImages } from '../../../data/images/project-images.ts';
import { edits } from '../../../data/project/members.ts';
import type { Project } from '../../../data/project/open-project.ts';
import { describeError } from '../../../data/server/messages.ts';
import { toasts } from '../../../ui/toasts/engine.ts';
import type { ProjectAccess } from './project-gate.tsx';

/** After so long without another change, in milliseconds, the project gets the images that it shows. */
const SETTLE_MS = 1_500;
/** It rests for so many times as long as the last time took, since all cards of the project are read. */
const REST = 10;

/** Time for which a failure is shown, in milliseconds. */
const FAILURE_MS = 10_000;

/** Failures that were told of, by project: each is told once while the page is there. */
const told = new Set<string>();

async function tried(project: Project, work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    const why = describeError(error);
    if (told.has(`${project.id} ${why}`)) return;
    told.add(`${project.id} ${why}`);
    toasts.show(
      `Images of your library could not be copied into the project; others do not see them. ${why}`,
      {
        type: 'error',
        autoCloseTime: FAILURE_MS,
      },
    );
  }
}

/** One run at a time for each project; what is asked for meanwhile is one more afterwards. */
class Adopting {
  readonly #project: Project;
  #running: Promise<void> | undefined;
  #again = false;
  /** Milliseconds that the last run took. */
  took = 0;

  constructor(project: Project) {
    this.#project = project;
  }

  async run(): Promise<void> {
    if (this.#running) {
      this.#again = true;
      return;
    }
    const begun = performance.now();
    this.#running = tried(this.#project, adoptNewlyShown(this.#project));
    await this.#running;
    this.took = performance.now() - begun;
    this.#running = undefined;
    if (!this.#again) return;
    this.#again = false;
    await this.run();
  }
}

const adopting = new Map<string, Adopting>();

function adoptingOf(project: Project): Adopting {
  const known = adopting.get(project.id) ?? new Adopting(project);
  adopting.set(project.id, known);
  return known;
}

/** Shows an open project's images, and copies into it what the user's own changes show of their library. */
export function useProjectImages({ project, role }: ProjectAccess): void {
  useEffect(() => followProjectImages(project), [project]);

  const mayEdit = edits(role);
  useEffect(() => {
    if (!mayEdit) return;
    const work = adoptingOf(project);
    // Changes that were made elsewhere, such as a layout copied into the project.
    void work.run();
    let waiting: ReturnType<typeof setTimeout> | undefined;
    const stop = onOwnChange((changed) => {
      if (changed !== project.id) return;
      clearTimeout(waiting);
      waiting = setTimeout(() => void work.run(), Math.max(SETTLE_MS, REST * work.took));
    });
    return () => {
      stop();
      clearTimeout(waiting);
      // Changes that have not settled yet.
      void work.run();
    };
  }, [project, mayEdit]);
}
