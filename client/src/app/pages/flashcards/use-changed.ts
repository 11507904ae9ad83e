import { useContext, useEffect, useMemo, useState } from 'react';
import { changedSince, readMarks } from '../../../core/imposition/job/print-runs.ts';
import type {
  Card,
  Component,
  LayoutDocument,
  PrintRunDocument,
  WithId,
} from '../../../data/documents/documents.ts';
import { ownLayouts } from '../../../data/layouts/own-layouts.ts';
import { marksByCard, projectParts } from '../../../data/project/project-parts.ts';
import { describeError } from '../../../data/server/messages.ts';
import { OwnLanguageContext } from '../../painting/own-language.ts';

/** Ids of the cards that look different since a print, and why they are not known. */
export interface Changed {
  /** Undefined while they are compared. */
  readonly ids: ReadonlySet<string> | undefined;
  readonly failure: string | undefined;
}

/** Compares cards with how they looked in a print and before it; nothing is compared for 0. */
export function useChanged(
  component: WithId<Component>,
  cards: readonly WithId<Card>[],
  layouts: readonly WithId<LayoutDocument>[],
  runs: readonly PrintRunDocument[],
  since: number,
): Changed {
  const language = useContext(OwnLanguageContext);
  const parts = useMemo(
    () => projectParts(component, cards, ownLayouts(layouts, language)),
    [component, cards, layouts, language],
  );
  const [found, setFound] = useState<{ of: typeof parts; marks?: Map<string, string>; failure?: string }>();
  const wanted = since > 0;
  useEffect(() => {
    if (!wanted) return;
    const abort = new AbortController();
    const compare = async () => {
      // Painting on paper brings the exporter along: for those alone who ask.
      const { createExporter } = await import('../../../workers/export/exporter.ts');
      const exporter = createExporter();
      try {
        const job = { parts: parts.map(({ part }) => part) };
        const marks = await exporter.fingerprints(job, { signal: abort.signal });
        if (!abort.signal.aborted) setFound({ of: parts, marks: marksByCard(parts, marks) });
      } finally {
        exporter.dispose();
      }
    };
    compare().catch((error) => {
      if (!abort.signal.aborted) setFound({ of: parts, failure: describeError(error) });
    });
    return () => abort.abort();
  }, [parts, wanted]);
  return useMemo(() => {
    const known = found?.of === parts ? found : undefined;
    if (!known?.marks) return { ids: undefined, failure: known?.failure };
    const printed = runs.map(({ number, marks }) => ({ number, marks: readMarks(marks) }));
    return { ids: new Set(changedSince(printed, since, known.marks)), failure: undefined };
  }, [found, parts, runs, since]);
}
