import { useEffect, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { colOf, rowOf } from '../../../../core/board/grid.ts';
import { cellAtPoint, cellPolygon, type PlacedGrid } from '../../../../core/board/placing.ts';
import { grows, strokeCells } from '../../../../core/board/stroke.ts';
import { decodeTerrain, terrainNumber } from '../../../../core/board/terrain-data.ts';
import type { ZoneFrame } from '../../../../core/scene/display/display-list.ts';
import { applyTo, invert, type Point } from '../../../../core/scene/display/matrix.ts';
import { cellNamesOf, type MapZone, placedGridOf } from '../../../../core/scene/zones/map.ts';
import { isolated } from '../../../../core/text/names.ts';
import { isTyping } from '../../../../ui/commands/keys.ts';
import { ARROW_STEPS } from '../../../../ui/menu/arrow-keys.ts';
import type { EditorModel, Painting } from '../state/editor-store.ts';
import { paintCells, paintedMap, paintingOn, setPainting } from '../state/edits/map-painting.ts';
import css from './map-painter.module.css';
import { placeStyle } from './zone-box.tsx';

const SVG = 'http://www.w3.org/2000/svg';

const outlineText = (grid: PlacedGrid, cells: Iterable<number>): string => {
  let text = '';
  for (const cell of cells)
    text += `M${cellPolygon(grid, cell)
      .map(({ x, y }) => `${x.toFixed(2)} ${y.toFixed(2)}`)
      .join('L')}Z`;
  return text;
};

/** A stroke under way: cells it covers so far, shown at once and made one act when the pointer is released. */
class Stroke {
  readonly cells = new Set<number>();
  readonly #grid: PlacedGrid;
  readonly #terrain: Uint8Array;
  readonly #painting: Painting;
  readonly #shown: SVGGElement;
  readonly #color: string;
  readonly #start: number;
  #last: number;

  constructor(map: MapZone, grid: PlacedGrid, painting: Painting, shown: SVGGElement, start: number) {
    this.#grid = grid;
    this.#terrain = decodeTerrain(grid, map.data);
    this.#painting = painting;
    this.#shown = shown;
    const erases = painting.tool === 'erase';
    this.#color = erases ? '' : (map.terrains.find((one) => one.symbol === painting.terrain)?.color ?? '');
    this.#start = start;
    this.#last = start;
    this.to(start, true);
  }

  to(cell: number, first = false): void {
    if (cell === this.#last && !first) return;
    const { tool } = this.#painting;
    const covered = strokeCells(
      this.#grid,
      this.#terrain,
      this.#painting,
      grows(tool) ? this.#last : this.#start,
      cell,
    );
    this.#last = cell;
    if (!grows(tool)) {
      this.cells.clear();
      this.#shown.replaceChildren();
    }
    const fresh = covered.filter((one) => !this.cells.has(one));
    if (fresh.length === 0) return;
    for (const one of fresh) this.cells.add(one);
    const path = document.createElementNS(SVG, 'path');
    path.setAttribute('d', outlineText(this.#grid, fresh));
    if (this.#color) path.setAttribute('fill', this.#color);
    else path.setAttribute('class', css.erased ?? '');
    this.#shown.append(path);
  }

  /** The terrain under the first cell. */
  get picked(): number {
    return this.#terrain[this.#start] ?? 0;
  }
}

function finish(model: EditorModel, map: MapZone, painting: Painting, stroke: Stroke): void {
  if (painting.tool === 'pick') {
    const found = map.terrains.find(({ symbol }) => terrainNumber(symbol) === stroke.picked);
    setPainting(model, found ? { tool: 'brush', terrain: found.symbol } : { tool: 'erase' });
  } else paintCells(model, map.id, stroke.cells, painting.tool === 'erase' ? '' : painting.terrain);
}

/** Words for a cell: its name and its terrain. */
function describeCell(map: MapZone, grid: PlacedGrid, cell: number): string {
  const number = decodeTerrain(grid, map.data)[cell];
  const terrain = map.terrains.find(({ symbol }) => terrainNumber(symbol) === number);
  return `${cellNamesOf(map)(cell)}, ${terrain?.name ?? 'empty'}`;
}

/** The selected map while its cells are painted: by pointer, or with arrow keys and the space bar. */
function Painter({
  model,
  map,
  painting,
  frame,
  scale,
  toCard,
}: {
  model: EditorModel;
  map: MapZone;
  painting: Painting;
  frame: ZoneFrame;
  scale: number;
  toCard: (event: { clientX: number; clientY: number }) => Point;
}) {
  const grid = useMemo(() => placedGridOf(map, frame.box), [map, frame.box]);
  const shown = useRef<SVGGElement>(null);
  const stroke = useRef<Stroke>(undefined);
  const [cursor, setCursor] = useState(0);
  const [focused, setFocused] = useState(false);
  const at = Math.min(cursor, grid.cols * grid.rows - 1);
  const words = useMemo(() => describeCell(map, grid, at), [map, grid, at]);
  // The preview of a stroke goes once the map itself is painted with it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: every painting of the map is a new data
  useEffect(() => {
    if (!stroke.current) shown.current?.replaceChildren();
  }, [map.data]);
  useEffect(() => {
    const onEscape = (event: KeyboardEvent) => {
      // In a field, Escape leaves the field.
      if (event.key !== 'Escape' || isTyping(event.target)) return;
      event.stopImmediatePropagation();
      if (!stroke.current) setPainting(model, null);
      stroke.current = undefined;
      shown.current?.replaceChildren();
    };
    window.addEventListener('keydown', onEscape, true);
    return () => window.removeEventListener('keydown', onEscape, true);
  }, [model]);

  const cellUnder = (event: React.PointerEvent): number | undefined => {
    const back = invert(frame.matrix);
    return back && cellAtPoint(grid, applyTo(back, toCard(event)));
  };
  const begin = (cell: number) => {
    if (shown.current) stroke.current = new Stroke(map, grid, painting, shown.current, cell);
  };
  const end = () => {
    const done = stroke.current;
    stroke.current = undefined;
    if (!done) return;
    finish(model, map, painting, done);
    // A stroke that changed nothing is not painted anew.
    if (paintedMap(model)?.data === map.data) shown.current?.replaceChildren();
  };
  return (
    <div
      className={css.painter}
      role="application"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the cells are painted with the keyboard
      tabIndex={0}
      aria-label={`Cells of ${isolated(map.name)}: arrow keys move, space paints`}
      style={placeStyle(frame, scale)}
      onFocus={() => setFocused(true)}
      onBlur={() => setFocused(false)}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.stopPropagation();
        const cell = cellUnder(event);
        if (cell === undefined) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        setCursor(cell);
        begin(cell);
      }}
      onPointerMove={(event) => {
        if (!stroke.current) return;
        const cell = cellUnder(event);
        if (cell !== undefined) stroke.current.to(cell);
      }}
      onPointerUp={end}
      onPointerCancel={() => {
        stroke.current = undefined;
        shown.current?.replaceChildren();
      }}
      onKeyDown={(event) => {
        const step = ARROW_STEPS[event.key];
        if (step) {
          const col = Math.min(grid.cols - 1, Math.max(0, colOf(grid, at) + step[0]));
          const row = Math.min(grid.rows - 1, Math.max(0, rowOf(grid, at) + step[1]));
          setCursor(row * grid.cols + col);
        } else if (event.key === ' ' || event.key === 'Enter') {
          begin(at);
          end();
        } else return;
        event.preventDefault();
        event.stopPropagation();
      }}
    >
      <svg
        className={css.sheet}
        viewBox={`${frame.box.x} ${frame.box.y} ${frame.box.w} ${frame.box.h}`}
        preserveAspectRatio="none"
        aria-hidden
      >
        <g ref={shown} />
        {focused && <path className={css.cursor} d={outlineText(grid, [at])} />}
      </svg>
      <span className={css.words} aria-live="polite">
        {focused ? words : ''}
      </span>
    </div>
  );
}

/** Lies over the selected map while its cells are painted. */
export function MapPainter({
  model,
  frames,
  scale,
  toCard,
}: {
  model: EditorModel;
  frames: readonly ZoneFrame[];
  scale: number;
  toCard: (event: { clientX: number; clientY: number }) => Point;
}) {
  const painting = useStore(model.store, (state) => state.painting);
  const map = useStore(model.store, (state) => paintedMap({ state }));
  const frame = frames.find(({ zone }) => zone === map?.id);
  if (!painting || !map || !frame) return null;
  return (
    <Painter
      key={map.id}
      model={model}
      map={map}
      painting={paintingOn(map, painting)}
      frame={frame}
      scale={scale}
      toCard={toCard}
    />
  );
}
