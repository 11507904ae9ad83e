import {
  type DocumentReference,
  deleteField,
  FieldPath,
  serverTimestamp,
  type Transaction,
} from '@sdk/firestore';
import { cellAt } from '../../../core/records.ts';
import { sameDocument } from '../../../core/scene/changes/same-document.ts';
import { type BranchAct, cardContent } from '../../../core/versions/branch/change.ts';
import { imageFacts } from '../../../core/versions/branch/images.ts';
import { cellsOf } from '../../../core/versions/cards.ts';
import { textAt } from '../../../core/versions/stored-change.ts';
import { cardSchema, layoutDocumentSchema } from '../../documents/documents.ts';
import type { Project } from '../../project/open-project.ts';
import { toJson } from '../../project/transfer/json.ts';
import type { BroughtFiles } from './files.ts';

export type Read = Readonly<Record<string, unknown>> | undefined;

/** A change with the document that it writes. */
export interface Step {
  readonly act: BranchAct;
  readonly ref: DocumentReference;
}

export function refOf(project: Project, act: BranchAct): DocumentReference {
  switch (act.kind) {
    case 'notes':
      return project.notes;
    case 'layout':
    case 'newLayout':
      return project.layout(act.layout);
    case 'image':
    case 'newImage':
      return project.image(act.image);
    case 'book':
    case 'block':
    case 'newBook':
      return project.rulebook(act.rulebook);
    default:
      return project.card(act.component, act.card);
  }
}

const notesOf = (fields: Read): string => (typeof fields?.['text'] === 'string' ? fields['text'] : '');

/** True if a document is still as its change was shown. */
export function isAsShown(act: BranchAct, fields: Read): boolean {
  if (act.kind === 'notes') return notesOf(fields) === act.was;
  if (fields === undefined) return ['add', 'newLayout', 'newImage', 'newBook'].includes(act.kind);
  const now = toJson(fields);
  switch (act.kind) {
    case 'add':
    case 'newLayout':
    case 'newImage':
    case 'newBook':
      return false;
    case 'cell':
      return cellAt(cellsOf(now), act.column) === act.was;
    case 'copies':
      return (now['copies'] ?? 1) === act.was;
    case 'status':
      return textAt(now, 'status') === act.was;
    case 'remove':
      return sameDocument(cardContent(now), cardContent(act.was));
    case 'layout':
      return sameDocument(now['scene'], act.was);
    case 'image':
      return sameDocument(imageFacts(now), act.was);
    case 'book':
      return textAt(now, act.field) === act.was && (now['deletedAt'] ?? 0) === 0;
    // The text is checked where its step is made, and rests on that step being the next.
    case 'block':
      return (now['deletedAt'] ?? 0) === 0;
  }
}

const orNone = (value: unknown) => (value === null ? deleteField() : value);

/** Writes a change. Those of rulebooks are written together, as their heads and steps belong to each other. */
export function write(
  transaction: Transaction,
  { act, ref }: Step,
  revision: number,
  { scenes, contents }: BroughtFiles,
): void {
  switch (act.kind) {
    case 'cell':
      transaction.update(ref, new FieldPath('cells', act.column), act.text);
      break;
    case 'copies':
      transaction.update(ref, { copies: act.copies });
      break;
    case 'status':
      transaction.update(ref, { status: act.status === '' ? deleteField() : act.status });
      break;
    case 'add':
      transaction.set(ref, cardSchema.parse(act.value));
      break;
    case 'remove':
      transaction.delete(ref);
      break;
    case 'layout': {
      const scene = scenes.get(act.layout) ?? act.scene;
      const { name, version } = layoutDocumentSchema.shape.scene.parse(scene);
      transaction.update(ref, { name, version, scene, revision, updatedAt: serverTimestamp() });
      break;
    }
    case 'newLayout': {
      const { name, version, tags, scene } = layoutDocumentSchema.parse({ ...act.value, updatedAt: 0 });
      transaction.set(ref, {
        ...{ name, version, scene: scenes.get(act.layout) ?? scene, updatedAt: serverTimestamp() },
        ...(tags.length > 0 && { tags }),
      });
      break;
    }
    case 'image': {
      const fields = Object.entries(act.fields).map(([field, value]) => [field, orNone(value)]);
      transaction.update(ref, {
        ...{ ...Object.fromEntries(fields), ...contents.get(act.image), updatedAt: serverTimestamp() },
        ...(act.hash !== undefined && { hash: act.hash }),
      });
      break;
    }
    case 'notes':
      transaction.set(ref, { text: act.text, updatedAt: serverTimestamp() });
      break;
    default:
      break;
  }
}
