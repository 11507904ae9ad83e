import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Version } from './timeline.tsx';
import { timelineGroups } from './timeline-groups.ts';

test('groups have all versions in their order, and no two folds follow one another', () => {
  const kinds = fc.array(fc.constantFrom('named' as const, 'automatic' as const));
  fc.assert(
    fc.property(kinds, (list) => {
      const versions = list.map((kind, at) => ({ kind, id: String(at) }) as Version);
      const groups = timelineGroups(versions);
      const all = groups.flatMap((group) => (group.kind === 'named' ? [group.version] : group.versions));
      expect(all).toEqual(versions);
      for (const [at, group] of groups.entries())
        if (group.kind === 'automatic') expect(groups[at + 1]?.kind).not.toBe('automatic');
    }),
  );
});
