import { ChevronDown, ChevronRight, Eye, EyeOff, Lock, LockOpen, Search, Square } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useStore } from 'zustand';
import { MAX_NAME_LENGTH } from '../../../../core/scene/limits.ts';
import { isParent, type Zone } from '../../../../core/scene/zones.ts';
import { isolated } from '../../../../core/text/names.ts';
import { useUserObject } from '../../../../data/user-object/use-user-object.ts';
import type { EditorModel } from '../state/editor-store.ts';
import { type DropPlace, moveLayer } from '../state/edits/move-layer.ts';
import { allZones } from '../state/zones/zones.ts';
import { partOf } from '../zone-parts.ts';
import css from './panels.module.css';

/** Data type of a dragged layer. */
const DRAG_TYPE = 'application/x-tuckbox-zone';

interface LayerProps {
  zone: Zone;
  depth: number;
  model: EditorModel;
  selection: readonly string[];
  folded: boolean;
  /** The list shows the front first: what is dropped above comes in front. */
  frontFirst: boolean;
  onFold: () => void;
}

function RenameField({ zone, model, onDone }: { zone: Zone; model: EditorModel; onDone: () => void }) {
  return (
    <input
      className={css.rename}
      aria-label={`Name of ${isolated(zone.name)}`}
      defaultValue={zone.name}
      maxLength={MAX_NAME_LENGTH}
      // biome-ignore lint/a11y/noAutofocus: the double click asked to write here
      autoFocus
      onFocus={(event) => event.currentTarget.select()}
      onBlur={(event) => {
        const name = event.currentTarget.value.trim();
        if (name !== '' && name !== zone.name) {
          model.actOn(zone.id, (draft) => {
            draft.name = name;
          });
        }
        onDone();
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter') event.currentTarget.blur();
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        event.currentTarget.value = zone.name;
        event.currentTarget.blur();
      }}
    />
  );
}

function Layer({ zone, depth, model, selection, folded, frontFirst, onFold }: LayerProps) {
  const [renaming, setRenaming] = useState(false);
  const [drop, setDrop] = useState<DropPlace>();
  const Icon = partOf(zone).icon;
  const selected = selection.includes(zone.id);
  const toggle = (field: 'hidden' | 'locked') =>
    model.actOn(zone.id, (draft) => {
      draft[field] = !draft[field];
    });
  const placeOf = (event: React.DragEvent): DropPlace => {
    const box = event.currentTarget.getBoundingClientRect();
    const share = (event.clientY - box.top) / box.height;
    if (isParent(zone) && share > 0.3 && share < 0.7) return 'inside';
    const upper = share < 0.5;
    return upper === frontFirst ? 'front' : 'behind';
  };
  return (
    <li
      className={css.layer}
      data-selected={selected || undefined}
      data-hidden={zone.hidden || undefined}
      data-locked={zone.locked || undefined}
      data-drop={
        drop && (drop === 'inside' ? 'inside' : (drop === 'front') === frontFirst ? 'above' : 'below')
      }
      style={{ paddingLeft: depth * 14 }}
      draggable={!renaming}
      onDragStart={(event) => event.dataTransfer.setData(DRAG_TYPE, zone.id)}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes(DRAG_TYPE)) return;
        event.preventDefault();
        setDrop(placeOf(event));
      }}
      onDragLeave={() => setDrop(undefined)}
      onDrop={(event) => {
        event.preventDefault();
        setDrop(undefined);
        moveLayer(model, event.dataTransfer.getData(DRAG_TYPE), zone.id, placeOf(event));
      }}
    >
      {isParent(zone) && zone.children.length > 0 ? (
        <button
          type="button"
          className={css.fold}
          aria-label={folded ? `Unfold ${isolated(zone.name)}` : `Fold ${isolated(zone.name)}`}
          aria-expanded={!folded}
          onClick={onFold}
        >
          {folded ? <ChevronRight size={14} aria-hidden /> : <ChevronDown size={14} aria-hidden />}
        </button>
      ) : (
        <span className={css.fold} />
      )}
      {renaming ? (
        <RenameField zone={zone} model={model} onDone={() => setRenaming(false)} />
      ) : (
        <button
          type="button"
          className={css.layerName}
          aria-pressed={selected}
          onClick={(event) =>
            event.shiftKey || event.ctrlKey || event.metaKey ? model.toggle(zone.id) : model.select(zone.id)
          }
          onDoubleClick={() => setRenaming(true)}
        >
          <Icon size={15} aria-hidden />
          <span>{zone.name}</span>
        </button>
      )}
      <button
        type="button"
        className={css.toggle}
        aria-label={`Lock ${isolated(zone.name)}`}
        aria-pressed={zone.locked}
        onClick={() => toggle('locked')}
      >
        {zone.locked ? <Lock size={14} aria-hidden /> : <LockOpen size={14} aria-hidden />}
      </button>
      <button
        type="button"
        className={css.toggle}
        aria-label={`Hide ${isolated(zone.name)}`}
        aria-pressed={zone.hidden}
        onClick={() => toggle('hidden')}
      >
        {zone.hidden ? <EyeOff size={14} aria-hidden /> : <Eye size={14} aria-hidden />}
      </button>
    </li>
  );
}

interface Line {
  readonly zone: Zone;
  readonly depth: number;
}

/** The tree as lines: each zone under what holds it. */
function linesOf(
  zones: readonly Zone[],
  folded: ReadonlySet<string>,
  frontFirst: boolean,
  depth = 0,
): Line[] {
  const order = frontFirst ? [...zones].reverse() : zones;
  return order.flatMap((zone) => [
    { zone, depth },
    ...(isParent(zone) && !folded.has(zone.id) ? linesOf(zone.children, folded, frontFirst, depth + 1) : []),
  ]);
}

/** The zones as a tree, from front to back (or the other way round, as the user's settings say), and the card. */
export function LayerList({
  model,
  children,
}: {
  model: EditorModel;
  /** Shown below the layers. */
  children?: ReactNode;
}) {
  const scene = useStore(model.store, (state) => state.scene);
  const selection = useStore(model.store, (state) => state.selection);
  const { userObject: object } = useUserObject();
  const frontFirst = object.invertedLayoutHierarchy !== true;
  const [query, setQuery] = useState('');
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const wanted = query.trim().toLowerCase();
  const all = allZones(scene.zones);
  const lines =
    wanted === ''
      ? linesOf(scene.zones, folded, frontFirst)
      : all.filter(({ name }) => name.toLowerCase().includes(wanted)).map((zone) => ({ zone, depth: 0 }));
  const fold = (id: string) =>
    setFolded((old) => {
      const next = new Set(old);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  const card = (
    <li className={css.layer} data-selected={selection.length === 0 || undefined}>
      <span className={css.fold} />
      <button
        type="button"
        className={css.layerName}
        aria-pressed={selection.length === 0}
        onClick={() => model.select(null)}
      >
        <Square size={15} aria-hidden />
        <span>Card</span>
      </button>
    </li>
  );
  return (
    <aside className={css.layers} aria-label="Layers">
      <h2 className={css.heading}>Layers</h2>
      {all.length > 5 && (
        <label className={css.search}>
          <Search size={14} aria-hidden />
          <input
            type="search"
            aria-label="Find a layer"
            placeholder="Find a layer"
            value={query}
            onChange={(event) => setQuery(event.currentTarget.value)}
          />
        </label>
      )}
      <ul className={css.list}>
        {!frontFirst && card}
        {lines.map(({ zone, depth }) => (
          <Layer
            key={zone.id}
            zone={zone}
            depth={depth}
            model={model}
            selection={selection}
            folded={folded.has(zone.id)}
            frontFirst={frontFirst}
            onFold={() => fold(zone.id)}
          />
        ))}
        {frontFirst && card}
        {all.length === 0 && (
          <li className={css.none}>Add a text, an image or a shape from the bar above.</li>
        )}
        {wanted !== '' && lines.length === 0 && <li className={css.none}>No layer is called that.</li>}
      </ul>
      {children}
    </aside>
  );
}
