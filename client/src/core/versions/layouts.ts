import { layoutDifferences, type Difference as ZoneDifference } from '../scene/changes/diff.ts';
import { type Layout, layoutSchema } from '../scene/layout.ts';
import { type FieldChange, fieldChanges } from './field-changes.ts';
import { type Presence, presenceOf, recordAt, type StoredChange, textAt } from './stored-change.ts';

export interface LayoutDifference {
  readonly path: string;
  readonly id: string;
  readonly name: string;
  readonly change: Presence;
  /** `undefined` where there is none, or none that can be read. */
  readonly before: Layout | undefined;
  readonly after: Layout | undefined;
  readonly zones: readonly ZoneDifference[];
  readonly fields: readonly FieldChange[];
}

const LABELS = { tags: 'Tags', shared: 'Shared by its link', follows: 'Layout that it follows' } as const;
/** The scene is told zone by zone, and has the name too. */
const ELSEWHERE: ReadonlySet<string> = new Set(['scene', 'version', 'name']);

function sceneOf(fields: StoredChange['before']): Layout | undefined {
  return fields ? layoutSchema.safeParse(recordAt(fields, 'scene')).data : undefined;
}

export function layoutDifference(change: StoredChange, id: string): LayoutDifference {
  const { path, before, after } = change;
  const [was, is] = [sceneOf(before), sceneOf(after)];
  const presence = presenceOf(change);
  return {
    path,
    id,
    name: textAt(after ?? before, 'name') || 'A layout',
    change: presence,
    before: was,
    after: is,
    zones: was && is ? layoutDifferences(was, is) : [],
    fields: presence === 'changed' ? fieldChanges(before, after, LABELS, ELSEWHERE) : [],
  };
}
