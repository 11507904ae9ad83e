import { useContext, useEffect, useMemo, useState } from 'react';
import { type GroupSizes, hasGroups, withGroupSizes } from '../../core/layout/group-sizes.ts';
import type { Column } from '../../core/scene/card/row.ts';
import type { Layout } from '../../core/scene/layout.ts';
import { inOwnLanguage } from '../../core/text/fonts/own-language.ts';
import { useWithout } from '../../data/opening.ts';
import { OwnLanguageContext } from './own-language.ts';
import { sharedRenderer } from './renderer.ts';

type Cells = { readonly cells: Readonly<Record<string, string>> };

const NONE: GroupSizes = new Map();

/**
 * Sizes of the texts that all cards of a deck set alike, worked out by a worker; the last ones while
 * new ones are worked out, none where the layout has no such texts.
 */
export function useGroupSizes(
  layout: Layout | undefined,
  cards: readonly Cells[] | undefined,
  columns: readonly Column[],
): GroupSizes {
  const language = useContext(OwnLanguageContext);
  const [sizes, setSizes] = useState(NONE);
  const without = useWithout().pictures;
  const wanted =
    !without && layout !== undefined && cards !== undefined && cards.length > 0 && hasGroups(layout);
  useEffect(() => {
    if (!wanted) {
      setSizes(NONE);
      return;
    }
    const abort = new AbortController();
    const rows = cards.map(({ cells }) => ({ cells }));
    sharedRenderer()
      .fitGroups(inOwnLanguage(layout, language), rows, columns, abort.signal)
      .then(setSizes, (error: unknown) => {
        // The cards show all the same, each text at the size it needs itself.
        if (!abort.signal.aborted) console.error(error);
      });
    return () => abort.abort();
  }, [wanted, layout, language, cards, columns]);
  return sizes;
}

/** A layout as it is for every card of a deck; see {@link useGroupSizes}. */
export function useFittedLayout<L extends Layout | undefined>(
  layout: L,
  cards: readonly Cells[] | undefined,
  columns: readonly Column[],
): L {
  const sizes = useGroupSizes(layout, cards, columns);
  return useMemo(() => (layout ? (withGroupSizes(layout, sizes) as L) : layout), [layout, sizes]);
}
