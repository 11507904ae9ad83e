import { TABLE_SET_DPI, TABLE_SET_IDS, TABLE_SETS, type TableSetId } from '../../core/tabletop/table-sets.ts';
import { bundle, type Format, partsOf } from '../format.ts';

const formatOf = (id: TableSetId, { summary, entries }: (typeof TABLE_SETS)[TableSetId]): Format => ({
  summary,
  ending: () => 'zip',
  named: `for ${id}`,
  updates: false,
  plan: (project) => bundle(entries(partsOf(project), TABLE_SET_DPI)),
});

/** A format for each virtual table that takes images and lists. */
export const TABLE_SET_FORMATS = Object.fromEntries(
  TABLE_SET_IDS.map((id) => [id, formatOf(id, TABLE_SETS[id])]),
) as Readonly<Record<TableSetId, Format>>;
