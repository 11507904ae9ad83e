import { useCallback, useEffect, useRef, useState } from 'react';
import { own } from '../../../../../core/records.ts';
import { fetchTable } from '../../../../../data/import/fetch-table.ts';
import { type Mapping, planImport, suggestMapping } from '../../../../../data/import/plan.ts';
import { readTableBytes } from '../../../../../data/import/read-file.ts';
import type { ImportedTable } from '../../../../../data/import/table.ts';
import { useWithout } from '../../../../../data/opening.ts';
import { describeError } from '../../../../../data/server/messages.ts';
import type { CardTable } from '../../../../../data/table/sync/card-table.ts';
import type { TableState } from '../../../../../data/table/sync/table-state.ts';
import { toasts } from '../../../../../ui/toasts/engine.ts';

/** A table that was fetched, ready to be shown before it is taken over. */
export interface Fetched {
  readonly table: ImportedTable;
  readonly mapping: Mapping;
}

/** Looks again at the address a table follows, when asked and by the clock. Nothing is written unseen. */
export function useSourceSync(table: CardTable, state: TableState) {
  const { source } = state.component;
  const [found, setFound] = useState<Fetched>();
  const busy = useRef(false);
  const url = source?.url;

  const look = useCallback(
    async (asked: boolean) => {
      if (busy.current || url === undefined) return;
      busy.current = true;
      try {
        const result = await readTableBytes(await fetchTable(url));
        if ('problems' in result) {
          const [first] = result.problems;
          throw new Error(`${first?.row === undefined ? '' : `Row ${first.row}: `}${first?.message ?? ''}`);
        }
        const { component, cards } = table.snapshot();
        const mapping = mappingOf(result.table, component, cards);
        const planned = planImport(result.table, mapping, component, cards);
        if ('problems' in planned) throw new Error(planned.problems[0]?.message ?? '');
        const { added, changed, missing, newColumns } = planned.plan;
        const changes =
          added.length + changed.length + (component.source?.mirror ? missing.length : 0) + newColumns.length;
        if (changes === 0) {
          if (asked) toasts.show('Nothing has changed there.', { type: 'success' });
        } else if (asked) {
          setFound({ table: result.table, mapping });
        } else {
          toasts.show(`${changes} ${changes === 1 ? 'change' : 'changes'} at the address of this table.`, {
            autoCloseTime: 20_000,
            actions: [{ buttonText: 'Show', function: () => setFound({ table: result.table, mapping }) }],
          });
        }
      } catch (error) {
        toasts.show(`The address could not be looked at: ${describeError(error)}`, {
          type: 'error',
          autoCloseTime: 10_000,
        });
      } finally {
        busy.current = false;
      }
    },
    [table, url],
  );

  const minutes = source?.everyMinutes ?? 0;
  const without = useWithout().sources;
  useEffect(() => {
    if (minutes <= 0 || without) return;
    const timer = setInterval(() => void look(false), minutes * 60_000);
    return () => clearInterval(timer);
  }, [minutes, look, without]);

  return { found, look: () => void look(true), close: () => setFound(undefined) };
}

function mappingOf(
  imported: ImportedTable,
  component: TableState['component'],
  cards: TableState['cards'],
): Mapping {
  const mapping = suggestMapping(imported, component, cards);
  const wanted = component.source?.idColumn;
  const source = imported.columns.find(({ key }) => {
    const target = own(mapping.targets, key);
    return target?.kind === 'existing' && target.key === wanted;
  });
  return source ? { ...mapping, match: { by: 'column', source: source.key } } : mapping;
}
