import { Checkbox, TextInput } from '@mantine/core';
import { ArrowDown, ArrowUp, Copy, Trash2 } from 'lucide-react';
import { useStore } from 'zustand';
import { MAX_NAME_LENGTH, type Zone } from '../../../../core/scene/zone.ts';
import type { TableColumn } from '../../../../data/documents.ts';
import { BACKWARD, DELETE, DUPLICATE, FORWARD } from '../commands.ts';
import type { EditorModel } from '../state/editor-store.ts';
import { findZone } from '../state/zones.ts';
import { CardFields } from './card-fields.tsx';
import { NumberField, Pair, Section } from './fields.tsx';
import { FillFields } from './fill-fields.tsx';
import { ImageFields } from './image-fields.tsx';
import css from './panels.module.css';
import { ShapeFields } from './shape-fields.tsx';
import { TextFields } from './text-fields.tsx';
import { ToolButton } from './tool-button.tsx';

const MAX_SIDE_MM = 2_000;

function PlaceFields({ zone, model }: { zone: Zone; model: EditorModel }) {
  const set = (field: 'x' | 'y' | 'w' | 'h' | 'rotation') => (value: number) =>
    model.actOn(
      zone.id,
      (draft) => {
        draft[field] = value;
      },
      field,
    );
  return (
    <Section title="Place">
      <Pair>
        <NumberField label="X" unit="mm" value={zone.x} onChange={set('x')} />
        <NumberField label="Y" unit="mm" value={zone.y} onChange={set('y')} />
        <NumberField label="Width" unit="mm" min={0} max={MAX_SIDE_MM} value={zone.w} onChange={set('w')} />
        <NumberField label="Height" unit="mm" min={0} max={MAX_SIDE_MM} value={zone.h} onChange={set('h')} />
        <NumberField label="Rotation" unit="°" step={5} value={zone.rotation} onChange={set('rotation')} />
        <NumberField
          label="Opacity"
          unit="%"
          step={5}
          min={0}
          max={100}
          value={zone.opacity * 100}
          onChange={(value) =>
            model.actOn(
              zone.id,
              (draft) => {
                draft.opacity = Math.min(1, Math.max(0, value / 100));
              },
              'opacity',
            )
          }
        />
      </Pair>
    </Section>
  );
}

function ZoneFields({
  zone,
  model,
  columns,
}: {
  zone: Zone;
  model: EditorModel;
  columns: readonly TableColumn[];
}) {
  const context = { model, save: () => undefined };
  return (
    <>
      <Section title="Zone">
        <TextInput
          size="xs"
          label="Name"
          value={zone.name}
          maxLength={MAX_NAME_LENGTH}
          onChange={(event) => {
            const name = event.currentTarget.value;
            model.actOn(
              zone.id,
              (draft) => {
                draft.name = name;
              },
              'name',
            );
          }}
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
          <ToolButton command={DELETE} context={context}>
            <Trash2 size={16} aria-hidden />
          </ToolButton>
        </div>
      </Section>
      {zone.kind === 'text' && <TextFields zone={zone} model={model} columns={columns} />}
      {zone.kind === 'image' && <ImageFields zone={zone} model={model} columns={columns} />}
      {zone.kind === 'shape' && <ShapeFields zone={zone} model={model} />}
      <FillFields zone={zone} model={model} columns={columns} />
      <PlaceFields zone={zone} model={model} />
      {(zone.kind === 'text' || zone.kind === 'image') && (
        <Section title="On cards without content">
          <Checkbox
            size="sm"
            label="Hide this zone"
            checked={zone.hideIfEmpty}
            onChange={(event) => {
              const { checked } = event.currentTarget;
              model.actOn(zone.id, (draft) => {
                draft.hideIfEmpty = checked;
              });
            }}
          />
        </Section>
      )}
    </>
  );
}

/** The selected zone's properties, or the card's. */
export function Inspector({ model, columns }: { model: EditorModel; columns: readonly TableColumn[] }) {
  const { scene, selected, preview } = useStore(model.store);
  const stored = findZone(scene, selected);
  const moved = stored && preview[stored.id];
  const zone = stored && moved ? ({ ...stored, ...moved } as Zone) : stored;
  return (
    <aside className={css.inspector} aria-label="Properties">
      {zone ? (
        <ZoneFields key={zone.id} zone={zone} model={model} columns={columns} />
      ) : (
        <CardFields scene={scene} model={model} />
      )}
    </aside>
  );
}
