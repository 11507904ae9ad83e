import { documentId, getDocs, limit, orderBy, query, startAfter } from '@sdk/firestore';
import type { Node as ProseNode } from 'prosemirror-model';
import { applyStep, emptyDoc } from '../../core/book/prose/steps.ts';
import { readDocument, rulebookStepSchema } from '../documents.ts';
import type { Project } from '../project/open-project.ts';
import type { SkippedStep } from './sync.ts';

/** The stored text of a rulebook. */
export interface RulebookText {
  readonly doc: ProseNode;
  /** Number of its last step. */
  readonly number: number;
  readonly skipped: readonly SkippedStep[];
}

/** Steps read at once. */
const PAGE = 500;

/** Reads the text of a rulebook as it is stored. */
export async function readText(project: Project, rulebook: string): Promise<RulebookText> {
  const all = query(project.rulebookSteps(rulebook), orderBy(documentId()));
  const skipped: SkippedStep[] = [];
  let doc = emptyDoc();
  let number = 0;
  let next = query(all, limit(PAGE));
  for (;;) {
    const { docs } = await getDocs(next);
    for (const found of docs) {
      if (Number(found.id) !== number + 1) return { doc, number, skipped };
      number++;
      const { by, at, s } = readDocument(rulebookStepSchema, found.ref.path, found.data());
      const result = applyStep(doc, s);
      if ('doc' in result) doc = result.doc;
      else skipped.push({ number, by, at, message: result.message });
    }
    const last = docs.at(-1);
    if (docs.length < PAGE || !last) return { doc, number, skipped };
    next = query(all, startAfter(last.id), limit(PAGE));
  }
}
