import { TextInput } from '@mantine/core';
import {
  AlignCenterHorizontal,
  AlignCenterVertical,
  AlignEndHorizontal,
  AlignEndVertical,
  AlignHorizontalSpaceAround,
  AlignStartHorizontal,
  AlignStartVertical,
  AlignVerticalSpaceAround,
  ArrowDown,
  ArrowDownToLine,
  ArrowUp,
  ArrowUpToLine,
  Copy,
  Trash2,
} from 'lucide-react';
import { memo, useMemo, useRef } from 'react';
import { useStore } from 'zustand';
import { MAX_NAME_LENGTH } from '../../../../core/scene/limits.ts';
import { MAX_TURN_DEG } from '../../../../core/scene/paint.ts';
import type { Row } from '../../../../core/scene/row.ts';
import { sameDocument } from '../../../../core/scene/same-document.ts';
import type { Zone } from '../../../../core/scene/zones.ts';
import type { TableColumn } from '../../../../data/documents.ts';
import { ToolButton } from '../../../../ui/toolbar/tool-button.tsx';
import {
  ALIGN_COMMANDS,
  BACKWARD,
  DISTRIBUTE_COMMANDS,
  FORWARD,
  TO_BACK,
  TO_FRONT,
} from '../commands/arrange.ts';
import { DELETE, DUPLICATE } from '../commands/edit.ts';
import type { CommandContext } from '../commands.ts';
import { GeneratorSection } from '../generators/generator-section.tsx';
import type { EditorModel, LengthUnit } from '../state/editor-store.ts';
import type { TableRow } from '../state/use-table.ts';
import { findZone } from '../state/zones.ts';
import { partOf } from '../zone-parts.ts';
import type { DataContext } from './binding-field.tsx';
import { CardFields } from './card-fields.tsx';
import { DrivenFields } from './driven-fields.tsx';
import { EffectFields } from './effect-fields.tsx';
import { LengthField, Pair, Section, SelectField } from './fields.tsx';
import { FillFields } from './fill-fields.tsx';
import { NumberField } from './number-field.tsx';
import css from './panels.module.css';
import { setterOf } from './set-property.ts';
import { UNITS } from './units.ts';

const MAX_SIDE_MM = 2_000;

/** Icons of the alignments, in the order of their commands. */
const ALIGN_ICONS = [
  AlignStartVertical,
  AlignCenterVertical,
  AlignEndVertical,
  AlignStartHorizontal,
  AlignCenterHorizontal,
  AlignEndHorizontal,
];
const DISTRIBUTE_ICONS = [AlignHorizontalSpaceAround, AlignVerticalSpaceAround];

function ArrangeButtons({ context, several }: { context: CommandContext; several: boolean }) {
  return (
    <div className={css.buttons}>
      {ALIGN_COMMANDS.map((command, index) => {
        const Icon = ALIGN_ICONS[index] ?? AlignStartVertical;
        return (
          <ToolButton key={command.id} command={command} context={context}>
            <Icon size={16} aria-hidden />
          </ToolButton>
        );
      })}
      {several &&
        DISTRIBUTE_COMMANDS.map((command, index) => {
          const Icon = DISTRIBUTE_ICONS[index] ?? AlignHorizontalSpaceAround;
          return (
            <ToolButton key={command.id} command={command} context={context}>
              <Icon size={16} aria-hidden />
            </ToolButton>
          );
        })}
    </div>
  );
}

/** Position of a zone; the only fields that follow a drag. */
function PlaceFields({ zone: stored, model }: { zone: Zone; model: EditorModel }) {
  const unit = useStore(model.store, (state) => state.unit);
  const moved = useStore(model.store, (state) => state.preview[stored.id]);
  const zone: Zone = moved ? { ...stored, ...moved } : stored;
  const set = setterOf(model, zone);
  return (
    <Section title="Place">
      <ArrangeButtons context={{ model, save: () => undefined }} several={false} />
      <Pair>
        <LengthField label="X" model={model} value={zone.x} onChange={set('x')} />
        <LengthField label="Y" model={model} value={zone.y} onChange={set('y')} />
        <LengthField
          label="Width"
          model={model}
          min={0}
          max={MAX_SIDE_MM}
          value={zone.w}
          onChange={set('w')}
        />
        <LengthField
          label="Height"
          model={model}
          min={0}
          max={MAX_SIDE_MM}
          value={zone.h}
          onChange={set('h')}
        />
        <NumberField
          label="Rotation"
          unit="°"
          step={5}
          min={-MAX_TURN_DEG}
          max={MAX_TURN_DEG}
          value={zone.rotation}
          onChange={set('rotation')}
        />
        <NumberField
          label="Opacity"
          unit="%"
          step={5}
          min={0}
          max={100}
          value={zone.opacity * 100}
          onChange={(value) => set('opacity')(Math.min(1, Math.max(0, value / 100)))}
        />
      </Pair>
      <SelectField
        label="Lengths in"
        value={unit}
        options={(Object.keys(UNITS) as LengthUnit[]).map((value) => ({ value, label: UNITS[value].name }))}
        onChange={(next) => model.view({ unit: next })}
      />
    </Section>
  );
}

/** Actions on several zones at once. */
function SeveralFields({ count, model }: { count: number; model: EditorModel }) {
  const context = { model, save: () => undefined };
  return (
    <Section title={`${count} zones`}>
      <ArrangeButtons context={context} several />
      <div className={css.buttons}>
        <ToolButton command={DUPLICATE} context={context}>
          <Copy size={16} aria-hidden />
        </ToolButton>
        <ToolButton command={DELETE} context={context}>
          <Trash2 size={16} aria-hidden />
        </ToolButton>
      </div>
    </Section>
  );
}

const ZoneFields = memo(function ZoneFields({
  zone,
  model,
  data,
}: {
  zone: Zone;
  model: EditorModel;
  data: DataContext;
}) {
  const set = setterOf(model, zone);
  const context = { model, save: () => undefined };
  const { Fields } = partOf(zone);
  return (
    <>
      <Section title="Zone">
        <TextInput
          size="xs"
          label="Name"
          value={zone.name}
          maxLength={MAX_NAME_LENGTH}
          onChange={(event) => set('name')(event.currentTarget.value)}
        />
        <div className={css.buttons}>
          <ToolButton command={DUPLICATE} context={context}>
            <Copy size={16} aria-hidden />
          </ToolButton>
          <ToolButton command={FORWARD} context={context}>
            <ArrowUp size={16} aria-hidden />
          </ToolButton>
          <ToolButton command={BACKWARD} context={context}>
            <ArrowDown size={16} aria-hidden />
          </ToolButton>
          <ToolButton command={TO_FRONT} context={context}>
            <ArrowUpToLine size={16} aria-hidden />
          </ToolButton>
          <ToolButton command={TO_BACK} context={context}>
            <ArrowDownToLine size={16} aria-hidden />
          </ToolButton>
          <ToolButton command={DELETE} context={context}>
            <Trash2 size={16} aria-hidden />
          </ToolButton>
        </div>
      </Section>
      <GeneratorSection model={model} selected={zone.id} data={data} />
      <Fields zone={zone} model={model} data={data} />
      <PlaceFields zone={zone} model={model} />
      <FillFields zone={zone} model={model} data={data} />
      <DrivenFields zone={zone} model={model} data={data} />
      <EffectFields zone={zone} model={model} data={data} />
    </>
  );
});

/** Equal but for the cells of a map, which no field shows: those that count them look for themselves. */
function sameFields(a: Zone | undefined, b: Zone | undefined): boolean {
  if (a === b) return true;
  if (a?.kind !== 'map' || b?.kind !== 'map') return false;
  return sameDocument({ ...a, data: '', edges: '' }, { ...b, data: '', edges: '' });
}

/** A zone for its fields, which are not made anew with every stroke on a map. */
function useFieldsOf(zone: Zone | undefined): Zone | undefined {
  const kept = useRef(zone);
  if (!sameFields(kept.current, zone)) kept.current = zone;
  return kept.current;
}

/** The selected zone's properties, or the card's. */
export function Inspector({
  model,
  columns,
  row,
  rows,
}: {
  model: EditorModel;
  columns: readonly TableColumn[];
  row: Row;
  /** All cards of the table. */
  rows: readonly TableRow[];
}) {
  const scene = useStore(model.store, (state) => state.scene);
  const selection = useStore(model.store, (state) => state.selection);
  const selected = useStore(model.store, (state) => state.selected);
  const data = useMemo(() => ({ columns, row, rows }), [columns, row, rows]);
  const zone = useFieldsOf(findZone(scene, selected));
  return (
    <aside className={css.inspector} aria-label="Properties">
      {zone ? (
        <ZoneFields key={zone.id} zone={zone} model={model} data={data} />
      ) : selection.length > 1 ? (
        <SeveralFields count={selection.length} model={model} />
      ) : (
        <CardFields scene={scene} model={model} data={data} />
      )}
    </aside>
  );
}
