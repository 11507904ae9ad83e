import type { WithId } from '../../../data/documents/documents.ts';
import type { GameVersion } from '../../../data/versions/schema.ts';

type Version = WithId<GameVersion>;

/** A named version, or automatic ones that follow one another. */
export type TimelineGroup =
  | { readonly kind: 'named'; readonly version: Version }
  | { readonly kind: 'automatic'; readonly versions: readonly [Version, ...Version[]] };

/** Versions as they are listed: automatic ones without a named one between them are together. */
export function timelineGroups(versions: readonly Version[]): TimelineGroup[] {
  const groups: TimelineGroup[] = [];
  for (const version of versions) {
    const last = groups.at(-1);
    if (version.kind === 'named') groups.push({ kind: 'named', version });
    else if (last?.kind === 'automatic')
      groups[groups.length - 1] = { kind: 'automatic', versions: [...last.versions, version] };
    else groups.push({ kind: 'automatic', versions: [version] });
  }
  return groups;
}
