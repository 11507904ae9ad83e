import { useEffect, useState } from 'react';
import type { PrintPart } from '../../../core/imposition/job/print-job.ts';
import { hasGroups, withGroupSizes } from '../../../core/layout/group-sizes.ts';
import type { Layout } from '../../../core/scene/layout.ts';
import type { Card, Component, WithId } from '../../../data/documents/documents.ts';
import type { Project } from '../../../data/project/open-project.ts';
import type { ProjectPart } from '../../../data/project/project-parts.ts';
import { useCards } from '../../../data/project/queries.ts';
import { useSettledCards } from '../../../data/table/formula/use-computed-cards.ts';
import { sharedRenderer } from '../../painting/renderer.ts';

/** Cards of a component with their formulas worked out, progress, or why they cannot be had. */
export type CardsState =
  | { readonly cards: readonly WithId<Card>[]; readonly error?: undefined }
  | { readonly error: Error; readonly cards?: undefined }
  | { readonly error?: undefined; readonly cards?: undefined };

/** Follows the cards of one component; there is one of these for each that is exported. */
export function CardsLoader({
  project,
  component,
  onCards,
}: {
  project: Project;
  component: WithId<Component>;
  onCards: (component: string, state: CardsState) => void;
}) {
  const { data, error } = useCards(project, component.id);
  const computed = useSettledCards(data?.items, component);
  useEffect(() => {
    // A cell that waits must not be printed.
    if (computed) onCards(component.id, computed.settled ? { cards: computed.cards } : {});
    else if (error) onCards(component.id, { error });
  }, [component.id, computed, error, onCards]);
  return null;
}

/**
 * Parts whose layouts set text alike on all cards of a deck, with the sizes that takes; undefined
 * while they are worked out. Where that fails, each text has the size it needs itself.
 */
export function useFittedParts(
  parts: readonly ProjectPart[] | undefined,
): readonly ProjectPart[] | undefined {
  const [fitted, setFitted] = useState<{ of: readonly ProjectPart[]; parts: readonly ProjectPart[] }>();
  const plain = parts?.every(({ part }) => !sides(part).some(hasGroups));
  useEffect(() => {
    if (!parts || plain) return;
    const abort = new AbortController();
    fittedParts(parts, abort.signal).then(
      (done) => {
        if (!abort.signal.aborted) setFitted({ of: parts, parts: done });
      },
      (error: unknown) => {
        if (abort.signal.aborted) return;
        console.error(error);
        setFitted({ of: parts, parts });
      },
    );
    return () => abort.abort();
  }, [parts, plain]);
  if (plain) return parts;
  // The last ones while new ones are worked out, but never the words of another language.
  return parts && fitted && isOneLanguage(fitted.parts, parts) ? fitted.parts : undefined;
}

const isOneLanguage = (a: readonly ProjectPart[], b: readonly ProjectPart[]): boolean =>
  a[0]?.part.language === b[0]?.part.language;

/** The same, once. */
export const fittedParts = (parts: readonly ProjectPart[], signal: AbortSignal): Promise<ProjectPart[]> =>
  Promise.all(parts.map((one) => fittedPart(one, signal)));

const sides = ({ layout, back }: PrintPart) => (back ? [layout, back] : [layout]);

async function fittedPart(projectPart: ProjectPart, signal: AbortSignal): Promise<ProjectPart> {
  const { part } = projectPart;
  const rows = part.cards.map(({ row }) => row);
  const fitted = async (layout: Layout): Promise<Layout> =>
    hasGroups(layout)
      ? withGroupSizes(layout, await sharedRenderer().fitGroups(layout, rows, part.columns, signal))
      : layout;
  return {
    ...projectPart,
    part: { ...part, layout: await fitted(part.layout), back: part.back && (await fitted(part.back)) },
  };
}
