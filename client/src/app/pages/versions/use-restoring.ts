import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { openProject, type Project } from '../../../data/project/open-project.ts';
import { openVersion, restoreVersion } from '../../../data/versions/calls.ts';
import { openedName } from '../../../data/versions/opened.ts';
import { compareAgain } from '../../../data/versions/queries.ts';
import { toasts } from '../../../ui/toasts/engine.ts';
import { tellFailure } from '../../shell/tell-failure.ts';

/** Time in which a restoration can be undone by its note, in milliseconds; later, from the list of versions. */
const UNDO_MS = 15_000;

/** Restores what a version had, rulebooks by a step of their text; answers the version of what was there before. */
export async function restoreAt(
  project: Project,
  version: string,
  paths?: readonly string[],
): Promise<string> {
  const { frozen, rulebooks } = await restoreVersion(project, version, paths);
  if (rulebooks.length > 0) {
    await openVersion(project.id, version);
    const then = openProject(openedName(project, version), project.db);
    // The editor's document model comes along only for rulebooks.
    const { restoreRulebookText } = await import('../../../data/versions/rulebook-texts.ts');
    for (const rulebook of rulebooks) await restoreRulebookText(project, then, rulebook);
  }
  return frozen;
}

/** Restoring parts of a project, or all of it, each with its way back. */
export function useRestoring(project: Project) {
  const client = useQueryClient();
  const [busy, setBusy] = useState(false);
  /**
   * @param what name of what is restored
   * @throws when nothing could be restored, or not all of it: the message says why
   */
  const restore = async (version: string, what: string, paths?: readonly string[]): Promise<void> => {
    setBusy(true);
    try {
      const before = await restoreAt(project, version, paths);
      const undo = () =>
        void restoreAt(project, before, paths).then(() => {
          toasts.show(`${what}: as it was before.`, { type: 'success' });
          return compareAgain(client, project);
        }, tellFailure);
      toasts.show(`${what}: restored. What was there is kept as a version.`, {
        type: 'success',
        autoCloseTime: UNDO_MS,
        ...(before && { actions: [{ buttonText: 'Undo', function: undo }] }),
      });
    } finally {
      setBusy(false);
      void compareAgain(client, project);
    }
  };
  return { busy, restore };
}
