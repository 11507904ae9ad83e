import { applyStep, emptyDoc } from '../../core/book/prose/steps.ts';
import { hashAfter, NO_STEPS, readVersion } from '../../core/book/prose/versions.ts';
import { readDocument, rulebookStepSchema, rulebookVersionSchema } from '../documents/documents.ts';
import { numbered } from './numbered.ts';
import type { Base, SkippedStep } from './sync.ts';

/** The stored text of a rulebook. */
export interface RulebookText extends Base {
  /** Steps among those read that every client skips. */
  readonly skipped: readonly SkippedStep[];
  /** Number of the version that it was read from; 0 if from the first step on. */
  readonly from: number;
}

/** A document of a text, with its path and its id. */
export interface TextDocument {
  readonly id: string;
  readonly path: string;
  readonly fields: unknown;
}

/** The documents that a text is read from. It is free of the SDK, because commands without a browser read it too. */
export interface TextDocuments {
  /** The newest version before this id, or of all. */
  version(before: string | undefined): Promise<TextDocument | undefined>;
  /** As many steps after this id as there are, at most so many, in order. */
  steps(after: string, most: number): Promise<readonly TextDocument[]>;
}

/** Steps read at once. */
const PAGE = 500;
/** Versions that are tried, the newest first, before all steps are read. */
const VERSIONS_TRIED = 3;

/** Reads the text of a rulebook as it is stored: its newest version and the steps after that. */
export async function readStoredText(documents: TextDocuments): Promise<RulebookText> {
  const skipped: SkippedStep[] = [];
  const start = await newestVersion(documents);
  let { doc, number, hash } = start;
  const text = (): RulebookText => ({ doc, number, hash, skipped, from: start.number });
  let after = numbered(number);
  for (;;) {
    const found = await documents.steps(after, PAGE);
    for (const { id, path, fields } of found) {
      if (Number(id) !== number + 1) return text();
      number++;
      const { by, at, s } = readDocument(rulebookStepSchema, path, fields);
      hash = hashAfter(hash, number, s);
      const result = applyStep(doc, s);
      if ('doc' in result) doc = result.doc;
      else skipped.push({ number, by, at, message: result.message });
    }
    const last = found.at(-1);
    if (found.length < PAGE || !last) return text();
    after = last.id;
  }
}

/** The newest version that can be read; the empty text if there is none. */
async function newestVersion(documents: TextDocuments): Promise<Base> {
  let before: string | undefined;
  for (let tried = 0; tried < VERSIONS_TRIED; tried++) {
    const found = await documents.version(before);
    if (!found) break;
    try {
      const { doc, hash } = readDocument(rulebookVersionSchema, found.path, found.fields);
      return { doc: readVersion(doc), number: Number(found.id), hash };
    } catch {
      // Whatever somebody stored there, the steps are the text.
      before = found.id;
    }
  }
  return { doc: emptyDoc(), number: 0, hash: NO_STEPS };
}
