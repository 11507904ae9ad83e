import { useMemo } from 'react';
import type { Layout, Zone } from '../../../../core/scene/zone.ts';
import type { CardTable, TableState } from '../../../../data/table/card-table.ts';
import { CardTableView } from './table-view.tsx';

/** Names of a layout's zones, outermost first. */
function zoneNames(layout: Layout | undefined): string[] {
  const names: string[] = [];
  const visit = (zone: Zone): void => {
    names.push(zone.name);
    if (zone.kind === 'container') for (const child of zone.children) visit(child);
  };
  for (const zone of layout?.zones ?? []) visit(zone);
  return names;
}

/** A component's table with what stands around it. */
export function TablePane({
  table,
  state,
  layout,
  onOpenCard,
}: {
  deck: string;
  table: CardTable;
  state: TableState;
  layout: Layout | undefined;
  onOpenCard: (card: string) => void;
}) {
  const zones = useMemo(() => zoneNames(layout), [layout]);
  return (
    <CardTableView
      table={table}
      state={state}
      zones={zones}
      imports={[]}
      exports={[]}
      target={undefined}
      onCursor={() => {}}
      onOpenCard={onOpenCard}
      onScroll={() => {}}
      peers={null}
    />
  );
}
