import {
  Eye,
  EyeOff,
  Grid3x3,
  Group,
  Image,
  Lock,
  LockOpen,
  QrCode,
  Repeat,
  Shapes,
  Square,
  Type,
} from 'lucide-react';
import { useStore } from 'zustand';
import type { Zone } from '../../../../core/scene/zone.ts';
import type { EditorModel } from '../state/editor-store.ts';
import { allZones } from '../state/zones.ts';
import css from './panels.module.css';

const ICONS = {
  text: Type,
  image: Image,
  shape: Shapes,
  container: Group,
  grid: Grid3x3,
  iterator: Repeat,
  code: QrCode,
} as const;

function Layer({ zone, model, selected }: { zone: Zone; model: EditorModel; selected: boolean }) {
  const Icon = ICONS[zone.kind];
  const toggle = (field: 'hidden' | 'locked') =>
    model.actOn(zone.id, (draft) => {
      draft[field] = !draft[field];
    });
  return (
    <li className={css.layer} data-selected={selected || undefined} data-hidden={zone.hidden || undefined}>
      <button type="button" aria-pressed={selected} onClick={() => model.select(zone.id)}>
        <Icon size={15} aria-hidden />
        <span>{zone.name}</span>
      </button>
      <button
        type="button"
        className={css.toggle}
        aria-label={`Lock ${zone.name}`}
        aria-pressed={zone.locked}
        onClick={() => toggle('locked')}
      >
        {zone.locked ? <Lock size={14} aria-hidden /> : <LockOpen size={14} aria-hidden />}
      </button>
      <button
        type="button"
        className={css.toggle}
        aria-label={`Hide ${zone.name}`}
        aria-pressed={zone.hidden}
        onClick={() => toggle('hidden')}
      >
        {zone.hidden ? <EyeOff size={14} aria-hidden /> : <Eye size={14} aria-hidden />}
      </button>
    </li>
  );
}

/** The zones from front to back, and the card under them. */
export function LayerList({ model }: { model: EditorModel }) {
  const { scene, selected } = useStore(model.store);
  const zones = allZones(scene.zones).reverse();
  return (
    <aside className={css.layers} aria-label="Layers">
      <h2 className={css.heading}>Layers</h2>
      <ul className={css.list}>
        {zones.map((zone) => (
          <Layer key={zone.id} zone={zone} model={model} selected={zone.id === selected} />
        ))}
        <li className={css.layer} data-selected={selected === null || undefined}>
          <button type="button" aria-pressed={selected === null} onClick={() => model.select(null)}>
            <Square size={15} aria-hidden />
            <span>Card</span>
          </button>
        </li>
        {zones.length === 0 && (
          <li className={css.none}>Add a text, an image or a shape from the bar above.</li>
        )}
      </ul>
    </aside>
  );
}
