import { Checkbox, NativeSelect } from '@mantine/core';
import { useState } from 'react';
import {
  type BoardsSpec,
  MAX_OVERLAP_MM,
  type PrintSettings,
  pageName,
} from '../../../core/imposition/settings.ts';
import type { SheetPlan } from '../../../core/imposition/sheets/sheet.ts';
import { LengthField, Section } from './fields.tsx';
import css from './print.module.css';

/** The sheets of a component, by its name. */
export interface NamedPlan {
  readonly name: string;
  readonly plan: SheetPlan;
}

const SPLITS: Readonly<Record<BoardsSpec['split'], string>> = {
  overlap: 'Over several, overlapping',
  tabs: 'Over several, with glue tabs',
  off: 'Not at all',
};

const FOLDS: Readonly<Record<BoardsSpec['fold'], string>> = {
  none: 'No folds',
  two: 'Once, to two panels',
  four: 'To four panels, with a slit',
  six: 'To six panels, with two slits',
};

/** Printing of what is larger than a page, and folds of boards. */
export function BoardsFields({
  settings,
  onChange,
  plans,
}: {
  settings: PrintSettings;
  onChange: (settings: PrintSettings) => void;
  plans: readonly NamedPlan[];
}) {
  const { boards } = settings;
  const set = (change: Partial<BoardsSpec>) => onChange({ ...settings, boards: { ...boards, ...change } });
  const hints = plans.flatMap((one) => hintsFor(one, settings));
  // It opens where there is something to say, and never closes under the hand that changes a setting.
  const [open, setOpen] = useState(false);
  if (!open && (hints.length > 0 || boards.split === 'off')) setOpen(true);
  const pages = plans.reduce(
    (sum, { plan: { tiling } }) => sum + (tiling ? tiling.columns * tiling.rows : 0),
    0,
  );
  return (
    <Section
      title="Boards"
      hint={pages > 0 ? `${pages} pages` : boards.fold === 'none' ? '' : FOLDS[boards.fold]}
      open={open}
    >
      <NativeSelect
        label="Larger than a page"
        value={boards.split}
        data={Object.entries(SPLITS).map(([value, label]) => ({ value, label }))}
        onChange={(event) => set({ split: event.currentTarget.value as BoardsSpec['split'] })}
      />
      {boards.split !== 'off' && (
        <LengthField
          label={boards.split === 'tabs' ? 'Length of tabs' : 'Overlap'}
          max={MAX_OVERLAP_MM}
          value={boards.overlap}
          onChange={(overlap) => set({ overlap })}
        />
      )}
      <NativeSelect
        label="Boards fold"
        description="Pages end at the folds, so that each belongs to one panel."
        value={boards.fold}
        data={Object.entries(FOLDS).map(([value, label]) => ({ value, label }))}
        onChange={(event) => set({ fold: event.currentTarget.value as BoardsSpec['fold'] })}
      />
      {boards.split !== 'off' && (
        <Checkbox
          label="Overview page"
          description="Shows how the pages go together."
          checked={boards.overview}
          onChange={(event) => set({ overview: event.currentTarget.checked })}
        />
      )}
      {boards.split === 'overlap' && boards.overlap > 0 && (
        <Checkbox
          label="Crosses in the overlaps"
          description="Thin lines by which pages are laid on one another. Half of each stays visible."
          checked={boards.crosses}
          onChange={(event) => set({ crosses: event.currentTarget.checked })}
        />
      )}
      {hints.map((hint) => (
        <p key={hint} className={css.hint}>
          {hint}
        </p>
      ))}
    </Section>
  );
}

/** Remarks on a component's pages that differ from what was asked for. */
function hintsFor({ name, plan }: NamedPlan, { page, arrangement, backs }: PrintSettings): string[] {
  if (arrangement === 'single' || plan.cards === 0) return [];
  const lies = plan.w > plan.h ? 'landscape' : 'portrait';
  const { tiling } = plan;
  if (!tiling) {
    if (plan.w === plan.h || lies === page.orientation) return [];
    return [`${name} fits ${pageName(page)} in ${lies} only, and is printed so.`];
  }
  const { columns, rows, cut, otherwise } = tiling;
  const other = lies === 'portrait' ? 'landscape' : 'portrait';
  const pages = columns * rows;
  const compared =
    otherwise === undefined || otherwise === pages ? '' : `; in ${other} there would be ${otherwise}`;
  const hints = [
    `${name} prints on ${pages} pages in ${lies}, ${columns} across and ${rows} down${compared}.`,
  ];
  if (cut > 0)
    hints.push(`${name}: ${cut} of the seams go through spaces. Another overlap or paper may avoid it.`);
  if (backs.mode === 'fold' && plan.sheets.some(({ side }) => side === 'back')) {
    hints.push(
      `${name}: a page has no room for a back beside its front, so the backs come on pages of their own.`,
    );
  }
  return hints;
}
