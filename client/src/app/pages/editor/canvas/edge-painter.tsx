import { useEffect, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import {
  cornerAtPoint,
  cornerPlace,
  decodeEdges,
  edgeAtPoint,
  edgeLines,
  edgePath,
  edgesByCorner,
  otherEnd,
} from '../../../../core/board/edges.ts';
import { latticeOf } from '../../../../core/board/lattice.ts';
import type { PlacedGrid } from '../../../../core/board/placing.ts';
import { terrainNumber } from '../../../../core/board/terrain-data.ts';
import type { PathCommand, ZoneFrame } from '../../../../core/scene/display/display-list.ts';
import { applyTo, invert, type Point } from '../../../../core/scene/display/matrix.ts';
import { cellNamesOf, gridOf, type MapZone, placedGridOf } from '../../../../core/scene/zones/map.ts';
import { isolated } from '../../../../core/text/names.ts';
import { isTyping } from '../../../../ui/commands/keys.ts';
import { ARROW_STEPS } from '../../../../ui/menu/arrow-keys.ts';
import type { EdgeDrawing, EditorModel } from '../state/editor-store.ts';
import { drawEdges, drawingOn, edgedMap, setDrawing, withSymmetric } from '../state/edits/edge-drawing.ts';
import css from './map-painter.module.css';
import { placeStyle } from './zone-box.tsx';

/** A side runs the way of an arrow key if it leaves it by less than about 75°. */
const ALONG = 0.25;

const pathText = (commands: readonly PathCommand[]): string =>
  commands.map(([name, ...numbers]) => name + numbers.join(' ')).join('');

/** A line under way: the sides between the corners that the pointer came to. */
interface Line {
  readonly first: Point;
  readonly edges: Set<number>;
  corner: number;
}

/** The cells that touch a corner, and what lies along the sides that meet there, in words. */
function describeCorner(
  map: MapZone,
  meeting: ReadonlyMap<number, readonly number[]>,
  corner: number,
): string {
  const grid = gridOf(map);
  const { sides, beyond } = latticeOf(grid);
  const edges = meeting.get(corner) ?? [];
  const cells = new Set<number>();
  for (const edge of edges) {
    cells.add(Math.floor(edge / sides));
    const across = beyond[edge] ?? -1;
    if (across >= 0) cells.add(across);
  }
  const { corners } = latticeOf(grid);
  const own = [...cells]
    .filter((cell) => corners.subarray(cell * sides, (cell + 1) * sides).includes(corner))
    .sort((a, b) => a - b)
    .map(cellNamesOf(map));
  const kinds = decodeEdges(grid, map.edges);
  const there = new Set(edges.map((edge) => kinds[edge] ?? 0));
  const names = map.edgeKinds
    .filter(({ symbol }) => there.has(terrainNumber(symbol)))
    .map(({ name }) => name);
  return `Corner of ${own.join(', ')}${names.length > 0 ? `: ${names.join(', ')}` : ''}`;
}

/** The side that leads from a corner the way of an arrow key. */
function edgeTowards(
  grid: PlacedGrid,
  meeting: ReadonlyMap<number, readonly number[]>,
  corner: number,
  [dx, dy]: readonly [number, number],
): number | undefined {
  const from = cornerPlace(grid, corner);
  let [best, most]: [number | undefined, number] = [undefined, ALONG];
  for (const edge of meeting.get(corner) ?? []) {
    const to = cornerPlace(grid, otherEnd(latticeOf(grid), edge, corner));
    const length = Math.hypot(to.x - from.x, to.y - from.y);
    const along = length > 0 ? ((to.x - from.x) * dx + (to.y - from.y) * dy) / length : 0;
    if (along > most) [best, most] = [edge, along];
  }
  return best;
}

/** The selected map while lines are drawn along the sides of its cells: by pointer, or with Shift and the arrow keys. */
function Painter({
  model,
  map,
  drawing,
  frame,
  scale,
  toCard,
}: {
  model: EditorModel;
  map: MapZone;
  drawing: EdgeDrawing;
  frame: ZoneFrame;
  scale: number;
  toCard: (event: { clientX: number; clientY: number }) => Point;
}) {
  const { cells, cols, rows, gap, rims } = map;
  const grid = useMemo(
    () => placedGridOf({ cells, cols, rows, gap, rims }, frame.box),
    [cells, cols, rows, gap, rims, frame.box],
  );
  const meeting = useMemo(
    () => edgesByCorner({ cells: grid.cells, cols: grid.cols, rows: grid.rows }),
    [grid],
  );
  const line = useRef<Line>(undefined);
  const [shown, setShown] = useState<readonly number[]>([]);
  const [cursor, setCursor] = useState<number>();
  const [focused, setFocused] = useState(false);
  const corner = cursor !== undefined && meeting.has(cursor) ? cursor : [...meeting.keys()][0];
  const words = useMemo(
    () => (corner === undefined ? '' : describeCorner(map, meeting, corner)),
    [map, meeting, corner],
  );
  const kind = map.edgeKinds.find(({ symbol }) => symbol === drawing.kind);
  useEffect(() => {
    const onEscape = (event: KeyboardEvent) => {
      // In a field, Escape leaves the field.
      if (event.key !== 'Escape' || isTyping(event.target)) return;
      event.stopImmediatePropagation();
      if (!line.current) setDrawing(model, null);
      line.current = undefined;
      setShown([]);
    };
    window.addEventListener('keydown', onEscape, true);
    return () => window.removeEventListener('keydown', onEscape, true);
  }, [model]);

  const draw = (edges: Iterable<number>) =>
    drawEdges(model, map.id, withSymmetric(map, edges, drawing), drawing.erases ? '' : drawing.kind);
  const placeUnder = (event: React.PointerEvent): Point | undefined => {
    const back = invert(frame.matrix);
    return back && applyTo(back, toCard(event));
  };
  const end = () => {
    const done = line.current;
    line.current = undefined;
    setShown([]);
    if (!done) return;
    if (done.edges.size > 0) draw(done.edges);
    else {
      // A click is for the side next to it.
      const edge = edgeAtPoint(grid, done.first);
      if (edge !== undefined) draw([edge]);
    }
  };
  const at = corner === undefined ? undefined : cornerPlace(grid, corner);
  return (
    <div
      className={css.painter}
      role="application"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: lines are drawn with the keyboard
      tabIndex={0}
      aria-label={`Edges of ${isolated(map.name)}: arrow keys move from corner to corner, with Shift they ${drawing.erases ? 'erase' : 'draw'}`}
      style={placeStyle(frame, scale)}
      onFocus={() => setFocused(true)}
      onBlur={() => setFocused(false)}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.stopPropagation();
        const first = placeUnder(event);
        const start = first && cornerAtPoint(grid, first);
        if (!first || start === undefined) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        setCursor(start);
        line.current = { first, edges: new Set(), corner: start };
      }}
      onPointerMove={(event) => {
        const under = line.current && placeUnder(event);
        const next = under && cornerAtPoint(grid, under);
        if (!line.current || next === undefined || next === line.current.corner) return;
        for (const edge of edgePath(grid, meeting, line.current.corner, next)) line.current.edges.add(edge);
        line.current.corner = next;
        setCursor(next);
        setShown(withSymmetric(map, line.current.edges, drawing));
      }}
      onPointerUp={end}
      onPointerCancel={() => {
        line.current = undefined;
        setShown([]);
      }}
      onKeyDown={(event) => {
        const step = ARROW_STEPS[event.key];
        if (!step || corner === undefined) return;
        const edge = edgeTowards(grid, meeting, corner, step);
        if (edge !== undefined) {
          if (event.shiftKey) draw([edge]);
          setCursor(otherEnd(latticeOf(grid), edge, corner));
        }
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
        {shown.length > 0 && (
          <path
            className={css.edge}
            d={pathText(edgeLines(grid, shown))}
            stroke={drawing.erases ? '#fff' : (kind?.color ?? '#000')}
            strokeWidth={Math.max(kind?.width ?? 1, 0.2)}
          />
        )}
        {focused && at && <circle className={css.cursor} cx={at.x} cy={at.y} r={grid.pitch / 6} />}
      </svg>
      <span className={css.words} aria-live="polite">
        {focused ? words : ''}
      </span>
    </div>
  );
}

/** Lies over the selected map while lines are drawn along the sides of its cells. */
export function EdgePainter({
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
  const drawing = useStore(model.store, (state) => state.drawing);
  const map = useStore(model.store, (state) => edgedMap({ state }));
  const frame = frames.find(({ zone }) => zone === map?.id);
  if (!drawing || !map || !frame) return null;
  return (
    <Painter
      key={map.id}
      model={model}
      map={map}
      drawing={drawingOn(map, drawing)}
      frame={frame}
      scale={scale}
      toCard={toCard}
    />
  );
}
