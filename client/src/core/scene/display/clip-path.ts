import type { PathCommand } from './display-list.ts';
import type { Rect } from './matrix.ts';
import { mapPath } from './outline.ts';

/**
 * Clip shapes as designers keep them: SVG path data (M L H V C S Q T A Z, both cases) in a square of
 * 100 by 100, or a CSS `polygon()` with points in percent.
 */

/** Most commands of one shape. */
const MAX_COMMANDS = 5_000;
const SIDE = 100;

/** The shape stretched over a box; undefined for invalid text. */
export function clipShape(text: string, box: Rect): PathCommand[] | undefined {
  const commands = text.trim().toLowerCase().startsWith('polygon(') ? polygon(text) : pathData(text);
  if (!commands || commands.length < 3) return undefined;
  return mapPath(commands, (x, y) => ({ x: box.x + (x / SIDE) * box.w, y: box.y + (y / SIDE) * box.h }));
}

function polygon(text: string): PathCommand[] | undefined {
  const inside = /^polygon\(\s*(?:(?:nonzero|evenodd)\s*,)?([^()]*)\)$/i.exec(text.trim())?.[1];
  const points = inside?.split(',').map((pair) =>
    pair
      .trim()
      .split(/\s+/)
      .map((part) => Number.parseFloat(part)),
  );
  if (!points || points.length < 3 || points.length > MAX_COMMANDS) return undefined;
  const commands: PathCommand[] = [];
  for (const [x, y, ...more] of points) {
    if (x === undefined || y === undefined || more.length > 0 || !Number.isFinite(x + y)) return undefined;
    commands.push([commands.length === 0 ? 'M' : 'L', x, y]);
  }
  return [...commands, ['Z']];
}

const TAKES: Readonly<Record<string, number>> = {
  M: 2,
  L: 2,
  H: 1,
  V: 1,
  C: 6,
  S: 4,
  Q: 4,
  T: 2,
  A: 7,
  Z: 0,
};
const STEP = /([MLHVCSQTAZ])|([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)|[\s,]+|(.)/giy;

function pathData(text: string): PathCommand[] | undefined {
  const reader = new PathReader();
  let letter = '';
  let numbers: number[] = [];
  STEP.lastIndex = 0;
  for (let match = STEP.exec(text); match; match = STEP.exec(text)) {
    const [, command, number, stray] = match;
    if (stray !== undefined || reader.commands.length > MAX_COMMANDS) return undefined;
    if (command !== undefined) {
      if (numbers.length > 0) return undefined;
      letter = command;
      if (letter.toUpperCase() === 'Z') reader.add('Z', false, []);
    } else if (number !== undefined) {
      if (letter === '') return undefined;
      numbers.push(Number.parseFloat(number));
      if (numbers.length === TAKES[letter.toUpperCase()]) {
        reader.add(letter.toUpperCase(), letter !== letter.toUpperCase(), numbers);
        numbers = [];
        // Further pairs after a move are lines.
        if (letter === 'M') letter = 'L';
        else if (letter === 'm') letter = 'l';
      }
    }
  }
  return numbers.length === 0 && reader.commands[0]?.[0] === 'M' ? reader.commands : undefined;
}

/** Turns every command into absolute moves, lines and cubic curves. */
class PathReader {
  readonly commands: PathCommand[] = [];
  #x = 0;
  #y = 0;
  #startX = 0;
  #startY = 0;
  /** Last control point and what kind of curve it belonged to, for S and T. */
  #control: { kind: 'C' | 'Q'; x: number; y: number } | undefined;

  add(letter: string, relative: boolean, numbers: readonly number[]): void {
    const bx = relative ? this.#x : 0;
    const by = relative ? this.#y : 0;
    const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0] = numbers;
    const control = this.#control;
    this.#control = undefined;
    switch (letter) {
      case 'M':
        this.#to(bx + a, by + b);
        [this.#startX, this.#startY] = [this.#x, this.#y];
        this.commands.push(['M', this.#x, this.#y]);
        return;
      case 'L':
        this.#line(bx + a, by + b);
        return;
      case 'H':
        this.#line(bx + a, this.#y);
        return;
      case 'V':
        this.#line(this.#x, by + a);
        return;
      case 'C':
        this.#cubic(bx + a, by + b, bx + c, by + d, bx + e, by + f);
        return;
      case 'S': {
        const [x, y] =
          control?.kind === 'C' ? [2 * this.#x - control.x, 2 * this.#y - control.y] : [this.#x, this.#y];
        this.#cubic(x, y, bx + a, by + b, bx + c, by + d);
        return;
      }
      case 'Q':
        this.#quadratic(bx + a, by + b, bx + c, by + d);
        return;
      case 'T': {
        const [x, y] =
          control?.kind === 'Q' ? [2 * this.#x - control.x, 2 * this.#y - control.y] : [this.#x, this.#y];
        this.#quadratic(x, y, bx + a, by + b);
        return;
      }
      case 'A':
        this.#arc(a, b, c, d !== 0, e !== 0, bx + f, by + g);
        return;
      default:
        this.#to(this.#startX, this.#startY);
        this.commands.push(['Z']);
    }
  }

  #to(x: number, y: number): void {
    this.#x = x;
    this.#y = y;
  }

  #line(x: number, y: number): void {
    this.#to(x, y);
    this.commands.push(['L', x, y]);
  }

  #cubic(ax: number, ay: number, bx: number, by: number, x: number, y: number): void {
    this.commands.push(['C', ax, ay, bx, by, x, y]);
    this.#control = { kind: 'C', x: bx, y: by };
    this.#to(x, y);
  }

  #quadratic(cx: number, cy: number, x: number, y: number): void {
    const third = (from: number, control: number): number => from + (2 / 3) * (control - from);
    this.commands.push(['C', third(this.#x, cx), third(this.#y, cy), third(x, cx), third(y, cy), x, y]);
    this.#control = { kind: 'Q', x: cx, y: cy };
    this.#to(x, y);
  }

  /** An elliptical arc by its ends, as the SVG specification's appendix turns it into a centre. */
  #arc(
    radiusX: number,
    radiusY: number,
    turn: number,
    large: boolean,
    sweep: boolean,
    x: number,
    y: number,
  ): void {
    let [rx, ry] = [Math.abs(radiusX), Math.abs(radiusY)];
    if (rx === 0 || ry === 0 || (x === this.#x && y === this.#y)) {
      this.#line(x, y);
      return;
    }
    const phi = (turn * Math.PI) / 180;
    const [cos, sin] = [Math.cos(phi), Math.sin(phi)];
    const [hx, hy] = [(this.#x - x) / 2, (this.#y - y) / 2];
    const [px, py] = [cos * hx + sin * hy, cos * hy - sin * hx];
    const stretch = Math.sqrt(Math.max(1, (px / rx) ** 2 + (py / ry) ** 2));
    rx *= stretch;
    ry *= stretch;
    const under = rx * rx * py * py + ry * ry * px * px;
    const root = Math.sqrt(Math.max(0, (rx * rx * ry * ry - under) / under)) * (large === sweep ? -1 : 1);
    const [cx, cy] = [(root * rx * py) / ry, (-root * ry * px) / rx];
    const start = Math.atan2((py - cy) / ry, (px - cx) / rx);
    let span = Math.atan2((-py - cy) / ry, (-px - cx) / rx) - start;
    if (sweep && span < 0) span += 2 * Math.PI;
    if (!sweep && span > 0) span -= 2 * Math.PI;
    const midX = cos * cx - sin * cy + (this.#x + x) / 2;
    const midY = sin * cx + cos * cy + (this.#y + y) / 2;
    const at = (u: number, v: number): readonly [number, number] => [
      midX + cos * rx * u - sin * ry * v,
      midY + sin * rx * u + cos * ry * v,
    ];
    const pieces = Math.max(1, Math.ceil(Math.abs(span) / (Math.PI / 2)));
    const handle = (4 / 3) * Math.tan(span / pieces / 4);
    for (let piece = 0; piece < pieces; piece++) {
      const from = start + (span * piece) / pieces;
      const to = start + (span * (piece + 1)) / pieces;
      const [ax, ay] = at(Math.cos(from) - handle * Math.sin(from), Math.sin(from) + handle * Math.cos(from));
      const [bx, by] = at(Math.cos(to) + handle * Math.sin(to), Math.sin(to) - handle * Math.cos(to));
      const [ex, ey] = piece === pieces - 1 ? [x, y] : at(Math.cos(to), Math.sin(to));
      this.#cubic(ax, ay, bx, by, ex, ey);
    }
    this.#control = undefined;
  }
}
