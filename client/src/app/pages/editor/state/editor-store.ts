import { createStore, type StoreApi } from 'zustand/vanilla';
import { isParent, type Layout, type Zone } from '../../../../core/scene/zone.ts';
import type { TurnedBox } from '../geometry/resize.ts';
import { History } from './history.ts';
import { allZones, findZone } from './zones.ts';

/** A drag under way: boxes shown in place of the stored ones, not yet an act. */
export type Preview = Readonly<Record<string, TurnedBox>>;

/** What the editor shows. */
export interface EditorState {
  readonly scene: Layout;
  /** Id of the selected zone; `null` selects the card itself. */
  readonly selected: string | null;
  readonly preview: Preview;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  /** Edges click onto the grid. */
  readonly snapping: boolean;
}

/** The document being edited, its history and the selection. */
export class EditorModel {
  readonly store: StoreApi<EditorState>;
  readonly #history = new History<Layout, string | null>();

  constructor(scene: Layout) {
    this.store = createStore<EditorState>(() => ({
      scene,
      selected: null,
      preview: {},
      canUndo: false,
      canRedo: false,
      snapping: true,
    }));
  }

  get state(): EditorState {
    return this.store.getState();
  }

  /** Changes the document, as one act. `select` also moves the selection. */
  act(recipe: (scene: Layout) => void, options: { mergeKey?: string; select?: string | null } = {}): void {
    const { scene, selected } = this.state;
    const after = options.select === undefined ? selected : options.select;
    const next = this.#history.act(scene, recipe, { before: selected, after }, options.mergeKey);
    this.#show({ scene: next, selected: after });
  }

  /** Changes one zone, as one act. */
  actOn<Z extends Zone = Zone>(id: string, recipe: (zone: Z) => void, mergeKey?: string): void {
    this.act(
      (scene) => {
        const zone = allZones(scene.zones).find((one) => one.id === id);
        if (zone) recipe(zone as Z);
      },
      mergeKey === undefined ? {} : { mergeKey: `${id}:${mergeKey}` },
    );
  }

  select(id: string | null): void {
    if (id !== this.state.selected) this.store.setState({ selected: id });
  }

  setSnapping(snapping: boolean): void {
    this.store.setState({ snapping });
  }

  /** Shows boxes without changing the document. */
  showPreview(preview: Preview): void {
    this.store.setState({ preview });
  }

  /** Makes what is shown an act. */
  commitPreview(): void {
    const { preview } = this.state;
    this.store.setState({ preview: {} });
    if (Object.keys(preview).length === 0) return;
    this.act((scene) => applyPreview(scene, preview));
  }

  undo(): void {
    const step = this.#history.undo(this.state.scene);
    if (step) this.#show({ scene: step.document, selected: step.selection });
  }

  redo(): void {
    const step = this.#history.redo(this.state.scene);
    if (step) this.#show({ scene: step.document, selected: step.selection });
  }

  /** Takes over a document from elsewhere. */
  replace(scene: Layout): void {
    this.#history.clear();
    this.#show({ scene, selected: this.state.selected });
  }

  #show({ scene, selected }: { scene: Layout; selected: string | null }): void {
    this.store.setState({
      scene,
      selected: findZone(scene, selected) ? selected : null,
      preview: {},
      canUndo: this.#history.canUndo,
      canRedo: this.#history.canRedo,
    });
  }
}

function applyPreview(scene: Layout, preview: Preview): void {
  for (const zone of allZones(scene.zones)) {
    const box = preview[zone.id];
    if (box) Object.assign(zone, box);
  }
}

/** The document with a drag's boxes in it. */
export function withPreview(scene: Layout, preview: Preview): Layout {
  if (Object.keys(preview).length === 0) return scene;
  const shown = (zones: readonly Zone[]): Zone[] =>
    zones.map((zone) => {
      const moved = preview[zone.id] ? { ...zone, ...preview[zone.id] } : zone;
      return isParent(moved) ? { ...moved, children: shown(moved.children) } : moved;
    });
  return { ...scene, zones: shown(scene.zones) };
}
