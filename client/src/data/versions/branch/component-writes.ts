import type { BranchAct } from '../../../core/versions/branch/change.ts';
import type { Project } from '../../project/open-project.ts';
import { toJson } from '../../project/transfer/json.ts';
import type { JointWrites } from './joint-writes.ts';
import { withColumns } from './writes.ts';

type ColumnAct = Extract<BranchAct, { kind: 'column' }>;

/** Everything that changes the columns of components, or deletes components with their cards. */
export function componentWrites(project: Project, acts: readonly BranchAct[]): JointWrites[] {
  const columns = new Map<string, ColumnAct[]>();
  const joint: JointWrites[] = [];
  for (const act of acts) {
    if (act.kind === 'column') columns.set(act.component, [...(columns.get(act.component) ?? []), act]);
    if (act.kind !== 'removeComponent') continue;
    joint.push({
      reads: [],
      fits: () => true,
      write: (transaction) => {
        for (const card of Object.keys(act.cards)) transaction.delete(project.card(act.component, card));
        transaction.delete(project.component(act.component));
      },
    });
  }
  for (const [component, own] of columns) {
    const ref = project.component(component);
    joint.push({
      reads: [ref],
      fits: (read) => read(ref) !== undefined,
      write: (transaction, read) =>
        transaction.update(ref, { columns: withColumns(toJson(read(ref) ?? {}), own) }),
    });
  }
  return joint;
}
