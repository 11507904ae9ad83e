import { Checkbox, ColorInput, NativeSelect, NumberInput, SegmentedControl } from '@mantine/core';
import {
  type BacksSpec,
  MAX_GRID,
  MAX_NUDGE_MM,
  MAX_PAGE_MM,
  type MarksSpec,
  PAGE_SIZES,
  type PageSpec,
  type PrintSettings,
  type Turn,
} from '../../../core/imposition/settings.ts';
import { Field, LengthField, Section } from './fields.tsx';
import css from './print.module.css';

interface FieldsProps {
  settings: PrintSettings;
  onChange: (settings: PrintSettings) => void;
}

const sizes = [
  ...Object.entries(PAGE_SIZES).map(([value, { name, w, h }]) => ({
    value,
    label: `${name}, ${w} × ${h} mm`,
  })),
  { value: 'custom', label: 'Other size' },
];

/** The page: size, orientation, margins, gaps, grid. */
export function PageFields({ settings, onChange }: FieldsProps) {
  const { page } = settings;
  const set = (change: Partial<PageSpec>) => onChange({ ...settings, page: { ...page, ...change } });
  const margin = (side: keyof PageSpec['margins']) => (value: number) =>
    set({ margins: { ...page.margins, [side]: value } });
  const single = settings.arrangement === 'single';
  return (
    <>
      <Field label="Arrange">
        {(id) => (
          <SegmentedControl
            aria-labelledby={id}
            fullWidth
            value={settings.arrangement}
            data={[
              { value: 'sheets', label: 'On sheets' },
              { value: 'single', label: 'One a page' },
            ]}
            onChange={(arrangement) =>
              onChange({ ...settings, arrangement: arrangement as PrintSettings['arrangement'] })
            }
          />
        )}
      </Field>
      {!single && (
        <>
          <NativeSelect
            label="Paper"
            data-tutorial="paper"
            value={page.size}
            data={sizes}
            onChange={(event) => set({ size: event.currentTarget.value as PageSpec['size'] })}
          />
          {page.size === 'custom' && (
            <div className={css.pair}>
              <LengthField
                label="Width"
                min={20}
                max={MAX_PAGE_MM}
                value={page.width}
                onChange={(width) => set({ width })}
              />
              <LengthField
                label="Height"
                min={20}
                max={MAX_PAGE_MM}
                value={page.height}
                onChange={(height) => set({ height })}
              />
            </div>
          )}
          <Field label="Orientation">
            {(id) => (
              <SegmentedControl
                aria-labelledby={id}
                fullWidth
                value={page.orientation}
                data={[
                  { value: 'portrait', label: 'Portrait' },
                  { value: 'landscape', label: 'Landscape' },
                ]}
                onChange={(orientation) => set({ orientation: orientation as PageSpec['orientation'] })}
              />
            )}
          </Field>
        </>
      )}
      <Checkbox
        label="Print the bleed"
        checked={settings.bleed}
        onChange={(event) => onChange({ ...settings, bleed: event.currentTarget.checked })}
      />
      {!single && (
        <Section title="Margins and grid">
          <div className={css.pair}>
            <LengthField label="Top" max={200} value={page.margins.top} onChange={margin('top')} />
            <LengthField label="Bottom" max={200} value={page.margins.bottom} onChange={margin('bottom')} />
            <LengthField label="Left" max={200} value={page.margins.left} onChange={margin('left')} />
            <LengthField label="Right" max={200} value={page.margins.right} onChange={margin('right')} />
            <LengthField label="Gap across" max={100} value={page.gapX} onChange={(gapX) => set({ gapX })} />
            <LengthField label="Gap down" max={100} value={page.gapY} onChange={(gapY) => set({ gapY })} />
            <CountField label="Columns" value={page.columns} onChange={(columns) => set({ columns })} />
            <CountField label="Rows" value={page.rows} onChange={(rows) => set({ rows })} />
          </div>
          <p className={css.hint}>Columns and rows: 0 is as many as fit.</p>
        </Section>
      )}
      <NativeSelect
        label="Turn cards"
        value={String(page.turn)}
        data={[
          { value: '0', label: 'Upright' },
          { value: '90', label: '90° clockwise' },
          { value: '180', label: 'Upside down' },
          { value: '270', label: '90° anticlockwise' },
        ]}
        onChange={(event) => set({ turn: Number(event.currentTarget.value) as Turn })}
      />
      <Checkbox
        label="Save ink"
        description="Outlines for areas, pale pictures, black letters."
        checked={settings.lowInk}
        onChange={(event) => onChange({ ...settings, lowInk: event.currentTarget.checked })}
      />
      {!single && (
        <Checkbox
          label="Ruler at the foot"
          description="Measure it to see that the printer did not scale the page."
          checked={settings.ruler}
          onChange={(event) => onChange({ ...settings, ruler: event.currentTarget.checked })}
        />
      )}
    </>
  );
}

function CountField({
  label,
  value,
  onChange,
}: {
  label: string;
  value: number;
  onChange: (value: number) => void;
}) {
  return (
    <NumberInput
      label={label}
      min={0}
      max={MAX_GRID}
      allowDecimal={false}
      clampBehavior="strict"
      value={value}
      onChange={(next) => typeof next === 'number' && onChange(next)}
    />
  );
}

const MARK_NAMES: Readonly<Record<MarksSpec['kind'], string>> = {
  none: 'None',
  corner: 'At the corners',
  full: 'Lines across the sheet',
  cross: 'Crosses',
};

export function MarksFields({ settings, onChange }: FieldsProps) {
  const { marks } = settings;
  const set = (change: Partial<MarksSpec>) => onChange({ ...settings, marks: { ...marks, ...change } });
  return (
    <Section title="Crop marks" hint={MARK_NAMES[marks.kind]}>
      <NativeSelect
        label="Kind of marks"
        value={marks.kind}
        data={Object.entries(MARK_NAMES).map(([value, label]) => ({ value, label }))}
        onChange={(event) => set({ kind: event.currentTarget.value as MarksSpec['kind'] })}
      />
      {marks.kind !== 'none' && (
        <div className={css.pair}>
          {marks.kind !== 'full' && (
            <LengthField
              label="Length"
              max={50}
              value={marks.length}
              onChange={(length) => set({ length })}
            />
          )}
          {marks.kind === 'corner' && (
            <LengthField
              label="Offset"
              max={20}
              step={0.5}
              value={marks.offset}
              onChange={(offset) => set({ offset })}
            />
          )}
          <LengthField
            label="Thickness"
            min={0.01}
            max={5}
            step={0.05}
            value={marks.width}
            onChange={(width) => set({ width })}
          />
          <ColorInput
            label="Colour"
            format="hex"
            withEyeDropper={false}
            value={marks.color}
            onChange={(color) => /^#[0-9a-f]{6}$/i.test(color) && set({ color })}
          />
        </div>
      )}
    </Section>
  );
}

export const BACK_MODES: Readonly<Record<BacksSpec['mode'], string>> = {
  none: 'No backs',
  'long-edge': 'Both sides, long edge',
  'short-edge': 'Both sides, short edge',
  separate: 'On sheets of their own',
  fold: 'Beside the fronts, to fold',
};

export function BacksFields({
  settings,
  onChange,
  onCalibrate,
  calibrating,
}: FieldsProps & { onCalibrate: () => void; calibrating: boolean }) {
  const { backs } = settings;
  const set = (change: Partial<BacksSpec>) => onChange({ ...settings, backs: { ...backs, ...change } });
  const duplex = backs.mode === 'long-edge' || backs.mode === 'short-edge';
  return (
    <>
      <NativeSelect
        label="Print backs"
        value={backs.mode}
        data={Object.entries(BACK_MODES).map(([value, label]) => ({ value, label }))}
        onChange={(event) => set({ mode: event.currentTarget.value as BacksSpec['mode'] })}
      />
      {backs.mode !== 'none' && (
        <NativeSelect
          label="Which back"
          value={backs.own ? 'own' : 'shared'}
          data={[
            { value: 'own', label: 'Each card its own' },
            { value: 'shared', label: 'The same for all' },
          ]}
          onChange={(event) => set({ own: event.currentTarget.value === 'own' })}
        />
      )}
      {(duplex || backs.mode === 'fold') && (
        <>
          <div className={css.pair}>
            <LengthField
              label="Shift right"
              min={-MAX_NUDGE_MM}
              max={MAX_NUDGE_MM}
              step={0.25}
              value={backs.nudgeX}
              onChange={(nudgeX) => set({ nudgeX })}
            />
            <LengthField
              label="Shift down"
              min={-MAX_NUDGE_MM}
              max={MAX_NUDGE_MM}
              step={0.25}
              value={backs.nudgeY}
              onChange={(nudgeY) => set({ nudgeY })}
            />
          </div>
          {duplex && (
            <p className={css.hint}>
              Backs a little off?{' '}
              <button type="button" className={css.link} disabled={calibrating} onClick={onCalibrate}>
                Print the calibration page
              </button>{' '}
              and read the shift from it.
            </p>
          )}
        </>
      )}
    </>
  );
}
