import { documentId, getDocs, limit, orderBy, query, startAfter } from '@sdk/firestore';
import type { Project } from '../project/open-project.ts';
import { type RulebookText, readStoredText, type TextDocument } from './stored-text.ts';

/** Reads the text of a rulebook as it is stored. */
export function readText(project: Project, rulebook: string): Promise<RulebookText> {
  const steps = query(project.rulebookSteps(rulebook), orderBy(documentId()));
  const versions = query(project.rulebookVersions(rulebook), orderBy(documentId(), 'desc'));
  const found = async (wanted: Parameters<typeof getDocs>[0]): Promise<TextDocument[]> =>
    (await getDocs(wanted)).docs.map((one) => ({ id: one.id, path: one.ref.path, fields: one.data() }));
  return readStoredText({
    version: async (before) =>
      (
        await found(
          before === undefined ? query(versions, limit(1)) : query(versions, startAfter(before), limit(1)),
        )
      )[0],
    steps: (after, most) => found(query(steps, startAfter(after), limit(most))),
  });
}
