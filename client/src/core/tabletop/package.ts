import type { BundleEntry } from '../imposition/images/painting.ts';
import { nameColumn } from '../imposition/job/card-name.ts';
import type { PrintPart } from '../imposition/job/print-job.ts';
import { own } from '../records.ts';
import type { SaveExtras } from './extras.ts';
import { IMAGES_PLACEHOLDER, rebasePage } from './rebase-tool.ts';
import type { TtsSave } from './save.ts';
import {
  newSave,
  planSimulator,
  type SimulatorPlan,
  type SimulatorSettings,
  type TablePart,
} from './simulator.ts';
import { nextKey, type UpdateReport, updateSave } from './update.ts';

/** Form of a component in the game: objects, or a page of the notebook. */
export type TableShape = TablePart['as'] | 'notebook';

const USUAL: Readonly<Record<string, TableShape>> = {
  tokens: 'token',
  tiles: 'tile',
  dice: 'die',
  boards: 'board',
  mats: 'board',
  documents: 'notebook',
};

/** Default form of a kind of component. */
export const usualShape = (kind: string): TableShape => own(USUAL, kind) ?? 'deck';

/** Columns by name, so that components can differ; empty is none. */
export type FieldNames = Readonly<
  Record<'nickname' | 'description' | 'gmNotes' | 'tags' | 'lua', string | undefined>
>;

export const NO_FIELDS: FieldNames = {
  nickname: undefined,
  description: undefined,
  gmNotes: undefined,
  tags: undefined,
  lua: undefined,
};

/** A component's part as objects of the game; `id` and `cardIds` identify it in a save. */
export function tablePart(
  part: PrintPart,
  known: { readonly id: string; readonly cardIds: readonly string[]; readonly as: TablePart['as'] },
  fields: FieldNames,
): TablePart {
  const key = (name: string | undefined) =>
    name ? part.columns.find((column) => column.name === name)?.key : undefined;
  return {
    ...part,
    ...known,
    fields: {
      nickname: key(fields.nickname) ?? nameColumn(part.columns)?.key,
      description: key(fields.description),
      gmNotes: key(fields.gmNotes),
      tags: key(fields.tags),
      lua: key(fields.lua),
    },
  };
}

export interface PlannedSave {
  readonly plan: SimulatorPlan;
  readonly save: TtsSave;
  /** Present when a save was updated. */
  readonly report?: UpdateReport;
}

/**
 * A new save, or an updated one.
 * @returns undefined when there is nothing to put on the table
 */
export function planSave(
  parts: readonly TablePart[],
  settings: SimulatorSettings,
  name: string,
  existing: TtsSave | undefined,
  extras: SaveExtras,
): PlannedSave | undefined {
  const url = (file: string) => `${IMAGES_PLACEHOLDER}${file}`;
  const plan = planSimulator(parts, settings, url, existing ? nextKey(existing) : 1);
  if (plan.images.length === 0 && extras.notebook.length === 0) return undefined;
  if (!existing) return { plan, save: newSave(plan, name, extras) };
  return { plan, ...updateSave(existing, plan, extras) };
}

/** The files of a save: its images in a folder, the save, and the page that sets the images' address. */
export function saveEntries({ plan, save }: PlannedSave, file: string): BundleEntry[] {
  return [
    ...plan.images.map((entry) => ({ ...entry, name: `pictures/${entry.name}` })),
    { name: file, kind: 'text', text: JSON.stringify(save, null, 2) },
    { name: 'set the address of the pictures.html', kind: 'text', text: rebasePage(file) },
  ];
}
