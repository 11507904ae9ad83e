import {
  type DocumentReference,
  deleteField,
  FieldPath,
  serverTimestamp,
  type Transaction,
} from '@sdk/firestore';
import type { JsonObject } from '../../../core/archive/bundle.ts';
import { cellAt, own } from '../../../core/records.ts';
import { sameDocument } from '../../../core/scene/changes/same-document.ts';
import {
  type BranchAct,
  cardContent,
  columnContent,
  componentContent,
} from '../../../core/versions/branch/change.ts';
import { imageFacts } from '../../../core/versions/branch/images.ts';
import { saidOf } from '../../../core/versions/branch/rulebooks.ts';
import { presetContent, settingOf } from '../../../core/versions/branch/settings.ts';
import { cellsOf } from '../../../core/versions/cards.ts';
import { recordsAt, textAt } from '../../../core/versions/stored-change.ts';
import { cardSchema, componentSchema, layoutDocumentSchema } from '../../documents/documents.ts';
import type { Project } from '../../project/open-project.ts';
import { toJson } from '../../project/transfer/json.ts';
import type { BroughtFiles } from './files.ts';
import type { Read } from './joint-writes.ts';
import { translationPlace } from './translation-writes.ts';

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
    case 'removeLayout':
      return project.layout(act.layout);
    case 'image':
    case 'newImage':
    case 'removeImage':
      return project.image(act.image);
    case 'book':
    case 'block':
    case 'newBook':
    case 'removeBook':
      return project.rulebook(act.rulebook);
    case 'newComponent':
    case 'removeComponent':
    case 'component':
    case 'column':
      return project.component(act.component);
    case 'newLanguage':
    case 'removeLanguage':
    case 'unit':
      return translationPlace(project, act).language(act.language);
    case 'setting':
      return project.details;
    case 'preset':
      return project.printPreset(act.preset);
    default:
      return project.card(act.component, act.card);
  }
}

/** Changes that make a document which the project does not have. */
const makes = (act: BranchAct): boolean =>
  ['add', 'newLayout', 'newImage', 'newBook', 'newComponent', 'newLanguage'].includes(act.kind) ||
  (act.kind === 'preset' && act.was === null);

const notesOf = (fields: Read): string => (typeof fields?.['text'] === 'string' ? fields['text'] : '');

/** True if a document is still as its change was shown. */
export function isAsShown(act: BranchAct, fields: Read): boolean {
  if (act.kind === 'notes') return notesOf(fields) === act.was;
  // Texts are checked in their parts, and rest on their language being there, or made with them.
  if (act.kind === 'unit') return true;
  if (fields === undefined) return makes(act);
  if (makes(act)) return false;
  const now = toJson(fields);
  switch (act.kind) {
    case 'cell':
      return cellAt(cellsOf(now), act.column) === act.was;
    case 'copies':
      return (now['copies'] ?? 1) === act.was;
    case 'status':
      return textAt(now, 'status') === act.was;
    case 'remove':
      return sameDocument(cardContent(now), cardContent(act.was));
    case 'layout':
    case 'removeLayout':
      return sameDocument(now['scene'], act.was);
    case 'image':
    case 'removeImage':
      return sameDocument(imageFacts(now), act.was);
    case 'book':
      return textAt(now, act.field) === act.was && (now['deletedAt'] ?? 0) === 0;
    case 'removeComponent':
      return sameDocument(componentContent(now), act.was);
    case 'component':
      return sameDocument(own(now, act.field) ?? null, act.was);
    case 'column':
      return sameColumn(columnsIn(now).find(({ key }) => key === act.column) ?? null, act.was);
    case 'setting':
      return sameDocument(settingOf(now, act.field), act.was);
    case 'preset':
      return sameDocument(presetContent(now), act.was);
    case 'removeLanguage':
      return true;
    case 'removeBook':
      return sameDocument(saidOf(now), act.was) && (now['deletedAt'] ?? 0) === 0;
    // The text is checked where its step is made, and rests on that step being the next.
    case 'block':
      return (now['deletedAt'] ?? 0) === 0;
    default:
      return false;
  }
}

const sameColumn = (one: JsonObject | null, other: JsonObject | null): boolean =>
  one && other ? sameDocument(columnContent(one), columnContent(other)) : one === other;

const columnsIn = (component: JsonObject) => recordsAt(component, 'columns');

type ColumnAct = Extract<BranchAct, { kind: 'column' }>;

/** The columns of a component with changes made in them. */
export function withColumns(component: JsonObject, acts: readonly ColumnAct[]): readonly JsonObject[] {
  const columns = [...columnsIn(component)];
  const at = (key: string | undefined) => columns.findIndex((column) => column['key'] === key);
  for (const { column, value, behind } of acts) {
    const place = at(column);
    if (place >= 0) columns.splice(place, 1, ...(value ? [value] : []));
    else if (value) columns.splice(at(behind.find((key) => at(key) >= 0)) + 1, 0, value);
  }
  return columns;
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
    case 'removeLayout':
    case 'removeImage':
      transaction.delete(ref);
      break;
    case 'newComponent':
      // Its cards are counted as they come.
      transaction.set(ref, toJson(componentSchema.parse({ order: 0, ...act.value, cardCount: 0 })));
      break;
    case 'component':
      transaction.update(ref, { [act.field]: orNone(act.value) });
      break;
    case 'setting':
      transaction.update(ref, { [act.field]: act.value, updatedAt: serverTimestamp() });
      break;
    case 'preset':
      if (act.value) transaction.set(ref, { ...act.value, updatedAt: serverTimestamp() });
      else transaction.delete(ref);
      break;
    case 'notes':
      transaction.set(ref, { text: act.text, updatedAt: serverTimestamp() });
      break;
    default:
      break;
  }
}
