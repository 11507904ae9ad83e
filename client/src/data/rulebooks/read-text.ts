import { documentId, getDocs, limit, orderBy, query, startAfter } from '@sdk/firestore';
import { applyStep, emptyDoc } from '../../core/book/prose/steps.ts';
import { hashAfter, NO_STEPS, readVersion } from '../../core/book/prose/versions.ts';
import { readDocument, rulebookStepSchema, rulebookVersionSchema } from '../documents.ts';
import type { Project } from '../project/open-project.ts';
import { numbered } from './step-store.ts';
import type { Base, SkippedStep } from './sync.ts';

/** The stored text of a rulebook. */
export interface RulebookText extends Base {
  /** Steps among those read that every client skips. */
  readonly skipped: readonly SkippedStep[];
  /** Number of the version that it was read from; 0 if from the first step on. */
  readonly from: number;
}

/** Steps read at once. */
const PAGE = 500;
/** Versions that are tried, the newest first, before all steps are read. */
const VERSIONS_TRIED = 3;

/** Reads the text of a rulebook as it is stored: its newest version and the steps after that. */
export async function readText(project: Project, rulebook: string): Promise<RulebookText> {
  const all = query(project.rulebookSteps(rulebook), orderBy(documentId()));
  const skipped: SkippedStep[] = [];
  const start = await newestVersion(project, rulebook);
  let { doc, number, hash } = start;
  const text = (): RulebookText => ({ doc, number, hash, skipped, from: start.number });
  let next = query(all, startAfter(numbered(number)), limit(PAGE));
  for (;;) {
    const { docs } = await getDocs(next);
    for (const found of docs) {
      if (Number(found.id) !== number + 1) return text();
      number++;
      const { by, at, s } = readDocument(rulebookStepSchema, found.ref.path, found.data());
      hash = hashAfter(hash, number, s);
      const result = applyStep(doc, s);
      if ('doc' in result) doc = result.doc;
      else skipped.push({ number, by, at, message: result.message });
    }
    const last = docs.at(-1);
    if (docs.length < PAGE || !last) return text();
    next = query(all, startAfter(last.id), limit(PAGE));
  }
}

/** The newest version that can be read; the empty text if there is none. */
async function newestVersion(project: Project, rulebook: string): Promise<Base> {
  const newestFirst = query(project.rulebookVersions(rulebook), orderBy(documentId(), 'desc'));
  let next = query(newestFirst, limit(1));
  for (let tried = 0; tried < VERSIONS_TRIED; tried++) {
    const found = (await getDocs(next)).docs[0];
    if (!found) break;
    try {
      const { doc, hash } = readDocument(rulebookVersionSchema, found.ref.path, found.data());
      return { doc: readVersion(doc), number: Number(found.id), hash };
    } catch {
      // Whatever somebody stored there, the steps are the text.
      next = query(newestFirst, startAfter(found.id), limit(1));
    }
  }
  return { doc: emptyDoc(), number: 0, hash: NO_STEPS };
}
