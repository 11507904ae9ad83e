import { produce } from 'immer';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Symmetry } from '../../../../core/board/area.ts';
import type { MapTool } from '../../../../core/board/stroke.ts';
import { mergeLayouts } from '../../../../core/scene/changes/merge.ts';
import type { Rect } from '../../../../core/scene/display/matrix.ts';
import { foldLanguage } from '../../../../core/scene/language-view.ts';
import type { Layout } from '../../../../core/scene/layout.ts';
import { withNewIds } from '../../../../core/scene/new-ids.ts';
import type { LayoutFont } from '../../../../core/scene/style/layout-font.ts';
import { isParent, type Zone, type ZoneKind } from '../../../../core/scene/zones.ts';
import { layoutInLanguage } from '../../../../core/translation/cards/in-language.ts';
import type { Generation } from '../generators/generation.ts';
import type { TurnedBox } from '../geometry/resize.ts';
import type { Distance, SnapLine } from '../geometry/snap-targets.ts';
import { History } from './history.ts';
import { shifted } from './zones/shifted.ts';
import { hasStuckEnds, settleEnds } from './zones/stuck-ends.ts';
import { allZones, findZone, siblingsOf } from './zones/zones.ts';

/** A drag under way: boxes shown in place of the stored ones, not yet an act. */
export type Preview = Readonly<Record<string, TurnedBox>>;

/** State shown by the editor. */
export interface EditorState {
  readonly scene: Layout;
  /** The layout as it is stored: the same, unless a language is shown. */
  readonly document: Layout;
  /** Language whose places and type are shown and changed; null changes those of all languages. */
  readonly language: string | null;
  /** Ids of the selected zones; none selects the card itself. */
  readonly selection: readonly string[];
  /** Id of the selected zone where there is exactly one. */
  readonly selected: string | null;
  readonly preview: Preview;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  /** Edges click onto the grid. */
  readonly snapping: boolean;
  /** Rulers and guides are shown. */
  readonly rulers: boolean;
  /** Id of the text zone that is being written in on the card. */
  readonly writing: string | null;
  /** Unit of lengths in the panels and on the rulers. */
  readonly unit: LengthUnit;
  /** The window over the editor, if any. */
  readonly panel: 'shortcuts' | 'palette' | 'real-size' | null;
  /** Rectangle drawn to select by, on the card. */
  readonly brush: Rect | null;
  /** Kind of the zone that the pointer draws next; null selects and moves. */
  readonly tool: ZoneKind | null;
  /** The zone that is being drawn. */
  readonly drawn: Rect | null;
  /** Work of the pointer on the selected map; null moves zones as elsewhere. */
  readonly painting: Painting | null;
  /** Lines that the pointer draws along sides of the selected map's cells. */
  readonly drawing: EdgeDrawing | null;
  /** Result of the generator that ran last. */
  readonly generation: Generation | null;
  /** Snap lines of a drag and the distances of its box to its neighbours. */
  readonly hints: SnapHints;
}

/** Tool and terrain that the pointer paints a map with. */
export interface Painting {
  readonly tool: MapTool;
  /** Symbol of the terrain. */
  readonly terrain: string;
  /** Steps that a brush reaches around its cell. */
  readonly reach: number;
  readonly symmetry: Symmetry;
}

/** The pointer's work along sides of cells. */
export interface EdgeDrawing {
  readonly erases: boolean;
  /** Symbol of the kind of edge. */
  readonly kind: string;
  readonly symmetry: Symmetry;
}

/** Lines and measures shown while something is dragged. */
export interface SnapHints {
  readonly lines: readonly SnapLine[];
  readonly distances: readonly Distance[];
}
export const NO_HINTS: SnapHints = { lines: [], distances: [] };

/** Unit in which lengths are shown. */
export type LengthUnit = 'mm' | 'in' | 'pt' | 'px';

/** The document being edited, its history and the selection. */
export class EditorModel {
  readonly store: StoreApi<EditorState>;
  readonly #history = new History<Layout, readonly string[]>((base, mine, theirs) =>
    mergeLayouts(base, mine, theirs, 'theirs'),
  );

  constructor(scene: Layout) {
    this.store = createStore<EditorState>(() => ({
      scene,
      document: scene,
      language: null,
      selection: [],
      selected: null,
      preview: {},
      canUndo: false,
      canRedo: false,
      snapping: true,
      rulers: true,
      writing: null,
      panel: null,
      brush: null,
      tool: null,
      drawn: null,
      painting: null,
      drawing: null,
      generation: null,
      hints: NO_HINTS,
      unit: 'mm',
    }));
  }

  get state(): EditorState {
    return this.store.getState();
  }

  /**
   * Changes the document, as one act. `select` also moves the selection; acts of one `mergeKey` are one, within
   * `mergeWindow` milliseconds.
   */
  act(
    recipe: (scene: Layout) => void,
    options: { mergeKey?: string; mergeWindow?: number; select?: string | null | readonly string[] } = {},
  ): void {
    const { scene, document, language, selection } = this.state;
    const { select } = options;
    const after =
      select === undefined
        ? selection
        : select === null
          ? []
          : typeof select === 'string'
            ? [select]
            : select;
    const { mergeKey, mergeWindow } = options;
    // Looked up beforehand: looking into a draft would take longer than the act.
    const change = hasStuckEnds(scene)
      ? (draft: Layout) => {
          recipe(draft);
          settleEnds(draft);
        }
      : recipe;
    const stored =
      language === null
        ? change
        : (draft: Layout) =>
            replaceFields(draft, document, foldLanguage(document, scene, produce(scene, change), language));
    const next = this.#history.act(document, stored, { before: selection, after }, mergeKey, mergeWindow);
    this.#show({ document: next, selection: after });
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

  /** Changes each of some zones, as one act. */
  actOnEach(ids: readonly string[], recipe: (zone: Zone) => void, mergeKey?: string): void {
    const chosen = new Set(ids);
    this.act(
      (scene) => {
        for (const zone of allZones(scene.zones)) if (chosen.has(zone.id)) recipe(zone);
      },
      mergeKey === undefined ? {} : { mergeKey: `${ids.join()}:${mergeKey}` },
    );
  }

  /** Sets text zones in a family; the layout names the files of one that is somebody's own. */
  setFont(ids: readonly string[], family: string, files: readonly LayoutFont[]): void {
    this.act((scene) => {
      const texts = allZones(scene.zones).filter(({ id, kind }) => kind === 'text' && ids.includes(id));
      for (const zone of texts) if (zone.kind === 'text') zone.style.family = family;
      if (files.length === 0 || texts.length === 0) return;
      scene.fonts = [...(scene.fonts ?? []).filter((font) => font.family !== family), ...files];
    });
  }

  select(id: string | null): void {
    this.selectAll(id === null ? [] : [id]);
  }

  selectAll(ids: readonly string[]): void {
    const { selection, writing } = this.state;
    if (ids.length === selection.length && ids.every((id, at) => id === selection[at])) return;
    this.store.setState({
      selection: ids,
      selected: soleOf(ids),
      writing: writing !== null && ids.includes(writing) ? writing : null,
    });
  }

  /** Adds a zone to the selection, or takes it out. */
  toggle(id: string): void {
    const { selection } = this.state;
    this.selectAll(selection.includes(id) ? selection.filter((one) => one !== id) : [...selection, id]);
  }

  /** Changes how the editor looks, not the document. */
  view(
    change: Partial<
      Pick<
        EditorState,
        | 'rulers'
        | 'writing'
        | 'panel'
        | 'unit'
        | 'snapping'
        | 'brush'
        | 'tool'
        | 'drawn'
        | 'hints'
        | 'painting'
        | 'drawing'
        | 'generation'
      >
    >,
  ): void {
    this.store.setState(change);
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
    this.store.setState({ preview: {}, hints: NO_HINTS });
    if (Object.keys(preview).length === 0) return;
    this.act((scene) => applyPreview(scene, preview));
  }

  /** Leaves the zones shown elsewhere as they are and puts copies there, as one act. */
  commitCopies(newId: () => string): void {
    const { preview, scene, document } = this.state;
    this.store.setState({ preview: {}, hints: NO_HINTS });
    const shown = Object.entries(preview).flatMap(([id, box]) => {
      const [zone, stored] = [findZone(scene, id), findZone(document, id)];
      return zone && stored ? [shifted(stored, (box.x ?? zone.x) - zone.x, (box.y ?? zone.y) - zone.y)] : [];
    });
    const copies = withNewIds(shown, newId).map((copy, at) => ({ id: shown[at]?.id ?? '', copy }));
    if (copies.length === 0) return;
    this.act(
      (draft) => {
        for (const { id, copy } of copies) {
          const list = siblingsOf(draft.zones, id);
          list?.splice(list.findIndex((zone) => zone.id === id) + 1, 0, copy);
        }
      },
      { select: copies.map(({ copy }) => copy.id) },
    );
  }

  undo(): void {
    const step = this.#history.undo(this.state.document);
    if (step) this.#show(step);
  }

  redo(): void {
    const step = this.#history.redo(this.state.document);
    if (step) this.#show(step);
  }

  /** Takes over what others changed. A drag goes on, and undo keeps to one's own acts. */
  takeOver(document: Layout): void {
    const { preview, writing } = this.state;
    this.#show({ document, selection: this.state.selection });
    const { scene } = this.state;
    const there = Object.entries(preview).filter(([id]) => findZone(scene, id));
    this.store.setState({
      preview: Object.fromEntries(there),
      writing: writing !== null && findZone(scene, writing) ? writing : null,
    });
  }

  /** Shows the layout in a language, or that of all languages. */
  showLanguage(language: string | null): void {
    if (language === this.state.language) return;
    this.store.setState({ language, writing: null });
    this.#show({ document: this.state.document, selection: this.state.selection });
  }

  #show({ document, selection }: { readonly document: Layout; readonly selection: readonly string[] }): void {
    const { language } = this.state;
    const scene = language === null ? document : layoutInLanguage('', document, NO_TEXTS, language);
    const there = selection.filter((id) => findZone(scene, id));
    const same =
      there.length === this.state.selection.length &&
      there.every((id, at) => id === this.state.selection[at]);
    const kept = same ? this.state.selection : there;
    this.store.setState({
      scene,
      document,
      selection: kept,
      selected: soleOf(kept),
      preview: {},
      canUndo: this.#history.canUndo,
      canRedo: this.#history.canRedo,
    });
  }
}

/** Words are edited as they are; translations are on a page of their own. */
const NO_TEXTS: ReadonlyMap<string, string> = new Map();

/** Makes a draft of a document the next document. */
function replaceFields(draft: Layout, document: Layout, next: Layout): void {
  type Fields = Record<string, unknown>;
  const [to, was, is] = [draft, document, next].map((one) => one as unknown as Fields) as [
    Fields,
    Fields,
    Fields,
  ];
  for (const key of Object.keys(was)) if (!(key in is)) delete to[key];
  for (const [key, value] of Object.entries(is)) if (was[key] !== value) to[key] = value;
}

const soleOf = (ids: readonly string[]): string | null => (ids.length === 1 ? (ids[0] ?? null) : null);

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
