import { TextInput } from '@mantine/core';
import { ArrowDown, ArrowDownToLine, ArrowUp, ArrowUpToLine, Copy, Trash2 } from 'lucide-react';
import { memo, useMemo, useRef } from 'react';
import { useStore } from 'zustand';
import type { Row } from '../../../../core/scene/card/row.ts';
import { sameDocument } from '../../../../core/scene/changes/same-document.ts';
import { MAX_NAME_LENGTH } from '../../../../core/scene/limits.ts';
import type { Zone } from '../../../../core/scene/zones.ts';
import type { TableColumn } from '../../../../data/documents/documents.ts';
import { ToolButton } from '../../../../ui/toolbar/tool-button.tsx';
import { BACKWARD, FORWARD, TO_BACK, TO_FRONT } from '../commands/arrange.ts';
import { DELETE, DUPLICATE } from '../commands/edit.ts';
import { GeneratorSection } from '../generators/generator-section.tsx';
import type { EditorModel } from '../state/editor-store.ts';
import type { TableRow } from '../state/table/use-table.ts';
import { findZone } from '../state/zones/zones.ts';
import { partOf } from '../zone-parts.ts';
import { CardFields } from './card/card-fields.tsx';
import { DrivenFields } from './driven-fields.tsx';
import type { DataContext } from './fields/binding-field.tsx';
import { Section } from './fields/fields.tsx';
import { setterOf } from './fields/set-property.ts';
import { LanguageNote } from './languages/language-note.tsx';
import { LanguageSwitch } from './languages/language-switch.tsx';
import { OwnFields } from './languages/own-fields.tsx';
import css from './panels.module.css';
import { PlaceFields } from './placement/place-fields.tsx';
import { SeveralFields } from './several-fields.tsx';
import { EffectFields } from './style/effect-fields.tsx';
import { FillFields } from './style/fill-fields.tsx';

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
      <OwnFields zone={zone} model={model} />
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
  languages,
}: {
  model: EditorModel;
  columns: readonly TableColumn[];
  row: Row;
  /** All cards of the table. */
  rows: readonly TableRow[];
  /** Languages that the cards are translated into. */
  languages: readonly string[];
}) {
  const scene = useStore(model.store, (state) => state.scene);
  const selection = useStore(model.store, (state) => state.selection);
  const selected = useStore(model.store, (state) => state.selected);
  const data = useMemo(() => ({ columns, row, rows }), [columns, row, rows]);
  const zone = useFieldsOf(findZone(scene, selected));
  return (
    <aside className={css.inspector} aria-label="Properties">
      <LanguageSwitch model={model} tags={languages} />
      <LanguageNote model={model} />
      {zone ? (
        <ZoneFields key={zone.id} zone={zone} model={model} data={data} />
      ) : selection.length > 1 ? (
        <SeveralFields key={selection.join()} scene={scene} ids={selection} model={model} />
      ) : (
        <CardFields scene={scene} model={model} data={data} />
      )}
    </aside>
  );
}
