import { useEffect, useState } from 'react';
import { toReprint } from '../../../core/versions/to-reprint.ts';
import type { Project } from '../../../data/project/open-project.ts';
import { marksByCard } from '../../../data/project/project-parts.ts';
import { describeError } from '../../../data/server/messages.ts';
import { openState } from '../../../data/versions/opened-state.ts';
import { readPrintState } from '../../../data/versions/print-state.ts';
import type { Exporter } from '../../../workers/export/exporter.ts';
import { fittedParts } from '../print/project-parts.tsx';

/** Cards that look different on paper. */
export interface Reprint {
  /** Ids of those of the later state; undefined while they are compared. */
  readonly cards: readonly string[] | undefined;
  readonly failure: string | undefined;
}

const NOT_YET: Reprint = { cards: undefined, failure: undefined };

/** Fingerprints of all cards of a state, as prints note them. */
async function marksOf(project: Project, state: string, exporter: Exporter, signal: AbortSignal) {
  const { parts, library } = await readPrintState(await openState(project, state));
  signal.throwIfAborted();
  const fitted = await fittedParts(parts, signal);
  const request = { parts: fitted.map(({ part }) => part), library };
  return marksByCard(fitted, await exporter.fingerprints(request, { signal }));
}

/**
 * Cards that have to be printed anew. Both states are laid out whole: a layout, a picture or a font may change cards whose
 * cells are alike.
 * @param again changes whenever the states are compared again
 */
export function useReprint(project: Project, from: string, to: string, again: unknown): Reprint {
  const [found, setFound] = useState<Reprint & { readonly of: unknown }>();
  useEffect(() => {
    const abort = new AbortController();
    const { signal } = abort;
    const compare = async () => {
      const { createExporter } = await import('../../../workers/export/exporter.ts');
      signal.throwIfAborted();
      const exporter = createExporter();
      try {
        const before = await marksOf(project, from, exporter, signal);
        const cards = toReprint(before, await marksOf(project, to, exporter, signal));
        if (!signal.aborted) setFound({ of: again, cards, failure: undefined });
      } finally {
        exporter.dispose();
      }
    };
    compare().catch((error: unknown) => {
      if (!signal.aborted) setFound({ of: again, cards: undefined, failure: describeError(error) });
    });
    return () => abort.abort();
  }, [project, from, to, again]);
  return found && found.of === again ? found : NOT_YET;
}
