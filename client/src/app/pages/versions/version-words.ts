import type { ProjectDocument } from '../../../data/documents/documents.ts';
import type { GameVersion, VersionReason } from '../../../data/versions/schema.ts';

const REASONS: Readonly<Record<VersionReason, string>> = {
  '': 'Automatic',
  daily: 'Before a day’s work',
  import: 'Before an import',
  bulk: 'Before a change of many cards',
  restore: 'Before a restoration',
  print: 'Before a print',
};

/** A version's name; that of an automatic one says why it was made. */
export const versionName = ({
  name,
  reason,
  number,
}: Pick<GameVersion, 'name' | 'reason' | 'number'>): string => name || `${REASONS[reason]} (${number})`;

/** Name of an opened version, by the document that it is opened with. */
export const openedLabel = ({
  versionName,
  versionNumber,
}: Pick<ProjectDocument, 'versionName' | 'versionNumber'>): string =>
  versionName || `Version ${versionNumber ?? ''}`.trim();

const counted = (n: number, one: string, many: string): string[] =>
  n === 0 ? [] : [`${n.toLocaleString()} ${n === 1 ? one : many}`];

/** Contents of a version, in a line. */
export function countWords({ counts }: Pick<GameVersion, 'counts'>): string {
  const { components, cards, layouts, images, rulebooks } = counts;
  const words = [
    ...counted(components, 'component', 'components'),
    ...counted(cards, 'card', 'cards'),
    ...counted(layouts, 'layout', 'layouts'),
    ...counted(images, 'image', 'images'),
    ...counted(rulebooks, 'rulebook', 'rulebooks'),
  ];
  return words.join(', ') || 'Empty';
}
