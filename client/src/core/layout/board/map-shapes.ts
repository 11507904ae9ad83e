import { decodeEdges, edgeLines } from '../../board/edges.ts';
import { areaPath, linePath } from '../../board/outlines.ts';
import { cellCentre, type PlacedGrid } from '../../board/placing.ts';
import { cellsOfTerrain, EMPTY } from '../../board/terrain-data.ts';
import type { Op, Outline } from '../../scene/display/display-list.ts';
import type { FontRegistry } from '../../text/fonts/font-registry.ts';

/** The cells of one terrain as shapes, before colour. */
export interface TerrainShape {
  readonly area: Outline;
  /** Middles of the cells, x then y for each; empty for a terrain that no cell has. */
  readonly middles: readonly number[];
}

/** Placed grids whose shapes are kept. A shape of 10,000 hexagons takes about 5 MB. */
const MAX_KEPT = 4;

const pathOutline = (commands: Extract<Outline, { kind: 'path' }>['commands']): Outline => ({
  kind: 'path',
  commands,
  evenOdd: false,
});

/**
 * Shapes of a map in its box. They follow from the grid and the cells alone, and of a map that is painted most stay: the
 * last ones are kept, and only terrains are made anew whose cells changed. What stays is the very same object, so that
 * painters see at once that it did.
 */
export class MapShapes {
  readonly #grid: PlacedGrid;
  #lines: Outline | undefined;
  #labels: { fonts: FontRegistry; key: string; ops: readonly Op[] } | undefined;
  #cells: Uint8Array = new Uint8Array();
  #edges: { data: string; byKind: ReadonlyMap<number, readonly number[]> } = { data: '', byKind: new Map() };
  readonly #edgeLines = new Map<number, Outline>();
  readonly #terrains = new Map<number, TerrainShape>();
  #areas: ReadonlyMap<string, Outline> = new Map();

  constructor(grid: PlacedGrid) {
    this.#grid = grid;
  }

  /** The sides of all cells. */
  get lines(): Outline {
    this.#lines ??= pathOutline(linePath(this.#grid));
    return this.#lines;
  }

  /** Areas of single cells by their colour. Those of the same cells as last time stay. */
  cellAreas(byColour: ReadonlyMap<string, ReadonlySet<number>>): Map<string, Outline> {
    const before = this.#areas;
    const kept = new Map<string, Outline>();
    const areas = new Map<string, Outline>();
    for (const [colour, cells] of byColour) {
      const key = [...cells].sort((a, b) => a - b).join(' ');
      const area = before.get(key) ?? pathOutline(areaPath(this.#grid, (cell) => cells.has(cell)));
      kept.set(key, area);
      areas.set(colour, area);
    }
    this.#areas = kept;
    return areas;
  }

  /** The names in the cells, made anew where `key` or the fonts are others. */
  labels(fonts: FontRegistry, key: string, make: () => readonly Op[]): readonly Op[] {
    if (this.#labels?.fonts !== fonts || this.#labels.key !== key) this.#labels = { fonts, key, ops: make() };
    return this.#labels.ops;
  }

  /** Lines along the sides of one kind; `edges` are all of the map, as `core/board/edges.ts` has them. */
  edgeLine(edges: string, number: number): Outline {
    if (this.#edges.data !== edges) {
      const byKind = new Map<number, number[]>();
      for (const [edge, kind] of decodeEdges(this.#grid, edges).entries()) {
        if (kind === EMPTY) continue;
        const own = byKind.get(kind);
        if (own) own.push(edge);
        else byKind.set(kind, [edge]);
      }
      this.#edges = { data: edges, byKind };
      this.#edgeLines.clear();
    }
    const known = this.#edgeLines.get(number);
    if (known) return known;
    const made = pathOutline(edgeLines(this.#grid, this.#edges.byKind.get(number) ?? []));
    this.#edgeLines.set(number, made);
    return made;
  }

  /** Begins with the terrains that cells have now. */
  show(cells: Uint8Array): void {
    const before = this.#cells;
    this.#cells = cells;
    if (before.length !== cells.length) this.#terrains.clear();
    for (let cell = 0; cell < before.length; cell++) {
      const [was, is] = [before[cell] ?? 0, cells[cell] ?? 0];
      if (was === is) continue;
      this.#terrains.delete(was);
      this.#terrains.delete(is);
    }
  }

  terrain(number: number): TerrainShape {
    const known = this.#terrains.get(number);
    if (known) return known;
    const own = cellsOfTerrain(this.#cells, number);
    const made: TerrainShape = {
      area: pathOutline(own.length === 0 ? [] : areaPath(this.#grid, (cell) => this.#cells[cell] === number)),
      middles: own.flatMap((cell) => {
        const { x, y } = cellCentre(this.#grid, cell);
        return [x, y];
      }),
    };
    this.#terrains.set(number, made);
    return made;
  }
}

const kept = new Map<string, MapShapes>();

/** The shapes of a map's cells, those of the last maps kept. */
export function mapShapes(grid: PlacedGrid, cells: Uint8Array): MapShapes {
  const key = Object.values(grid).join(' ');
  const shapes = kept.get(key) ?? new MapShapes(grid);
  // Used last, let go last.
  kept.delete(key);
  kept.set(key, shapes);
  for (const oldest of kept.keys()) {
    if (kept.size <= MAX_KEPT) break;
    kept.delete(oldest);
  }
  shapes.show(cells);
  return shapes;
}
