import { Reader } from './reader.ts';

/**
 * Reconstructs the tables `glyf` and `loca` from WOFF 2 (W3C Recommendation, section 5): points, flags and boxes of all
 * glyphs are stored apart from each other, and boxes that can be computed are left out.
 */
export interface Glyphs {
  readonly glyf: Uint8Array;
  /** Offsets of four bytes (`indexToLocFormat` 1). */
  readonly loca: Uint8Array;
  /** Left edge of each glyph's box; 0 for empty ones. */
  readonly lefts: Int16Array;
}

interface Streams {
  readonly contours: Reader;
  readonly points: Reader;
  readonly flags: Reader;
  readonly glyphs: Reader;
  readonly composites: Reader;
  readonly instructions: Reader;
}

/** Points of a glyph: on the curve or not, in font units. */
interface Points {
  readonly x: number[];
  readonly y: number[];
  readonly on: boolean[];
}

const COMPOSITE = -1;
const OVERLAP = 0x40;

/** @throws RangeError when the data are inconsistent */
export function readGlyphs(table: Uint8Array): Glyphs {
  const head = new Reader(table);
  head.u16();
  const options = head.u16();
  const count = head.u16();
  head.u16();
  const sizes = Array.from({ length: 7 }, () => head.u32());
  const [contours, points, flags, glyphs, composites, boxes, instructions] = sizes.map(
    (size) => new Reader(head.bytes(size)),
  );
  if (!contours || !points || !flags || !glyphs || !composites || !boxes || !instructions) {
    throw new RangeError('A stream is missing.');
  }
  const streams: Streams = { contours, points, flags, glyphs, composites, instructions };
  const boxMap = boxes.bytes(4 * ((count + 31) >> 5));
  const overlaps = options & 1 ? head.bytes((count + 7) >> 3) : undefined;
  const has = (map: Uint8Array | undefined, glyph: number): boolean =>
    ((map?.[glyph >> 3] ?? 0) & (0x80 >> (glyph & 7))) !== 0;

  const out = new Writer();
  const loca = new DataView(new ArrayBuffer(4 * (count + 1)));
  const lefts = new Int16Array(count);
  for (let glyph = 0; glyph < count; glyph++) {
    loca.setUint32(4 * glyph, out.length);
    const outline = contours.i16();
    const box = has(boxMap, glyph) ? [0, 0, 0, 0].map(() => boxes.i16()) : undefined;
    if (outline === 0) {
      if (box) throw new RangeError('An empty glyph has a box.');
      continue;
    }
    lefts[glyph] =
      outline === COMPOSITE
        ? writeComposite(out, streams, box)
        : writeSimple(out, streams, outline, box, has(overlaps, glyph));
    out.align();
  }
  loca.setUint32(4 * count, out.length);
  return { glyf: out.bytes(), loca: new Uint8Array(loca.buffer), lefts };
}

function writeSimple(
  out: Writer,
  streams: Streams,
  contours: number,
  given: readonly number[] | undefined,
  overlap: boolean,
): number {
  if (contours < 0) throw new RangeError('A glyph has less than no contours.');
  const ends: number[] = [];
  let total = 0;
  for (let contour = 0; contour < contours; contour++) {
    total += streams.points.packed16();
    ends.push(total - 1);
  }
  const points = readPoints(streams, total);
  const box = given ?? boxOf(points);
  out.i16(contours);
  for (const edge of box) out.i16(edge);
  for (const end of ends) out.u16(end);
  const hints = streams.glyphs.packed16();
  out.u16(hints);
  out.append(streams.instructions.bytes(hints));
  for (const [at, on] of points.on.entries()) out.u8((on ? 1 : 0) | (overlap && at === 0 ? OVERLAP : 0));
  for (const values of [points.x, points.y]) {
    let last = 0;
    for (const value of values) {
      out.i16(value - last);
      last = value;
    }
  }
  return box[0] ?? 0;
}

function readPoints({ flags, glyphs }: Streams, count: number): Points {
  const points: Points = { x: [], y: [], on: [] };
  let [x, y] = [0, 0];
  for (let point = 0; point < count; point++) {
    const flag = flags.u8();
    const [dx, dy] = step(flag & 0x7f, glyphs);
    x += dx;
    y += dy;
    points.x.push(x);
    points.y.push(y);
    points.on.push(flag < 0x80);
  }
  return points;
}

const signed = (flag: number, size: number): number => (flag & 1 ? size : -size);

/** Offset to the next point: one of 128 encodings, chosen by the flag. */
function step(flag: number, data: Reader): readonly [number, number] {
  const first = data.u8();
  if (flag < 10) return [0, signed(flag, ((flag & 14) << 7) + first)];
  if (flag < 20) return [signed(flag, (((flag - 10) & 14) << 7) + first), 0];
  if (flag < 84) {
    const way = flag - 20;
    return [
      signed(flag, 1 + (way & 0x30) + (first >> 4)),
      signed(flag >> 1, 1 + ((way & 0x0c) << 2) + (first & 0x0f)),
    ];
  }
  const second = data.u8();
  if (flag < 120) {
    const way = flag - 84;
    return [
      signed(flag, 1 + (Math.trunc(way / 12) << 8) + first),
      signed(flag >> 1, 1 + (((way % 12) >> 2) << 8) + second),
    ];
  }
  const third = data.u8();
  if (flag < 124) {
    return [signed(flag, (first << 4) + (second >> 4)), signed(flag >> 1, ((second & 0x0f) << 8) + third)];
  }
  return [signed(flag, (first << 8) + second), signed(flag >> 1, (third << 8) + data.u8())];
}

function boxOf({ x, y }: Points): number[] {
  const least = (values: readonly number[]) =>
    values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const most = (values: readonly number[]) =>
    values.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  return x.length === 0 ? [0, 0, 0, 0] : [least(x), least(y), most(x), most(y)];
}

/** Bits of a component's flags; see the table `glyf` of OpenType. */
const WORDS = 0x1;
const SCALE = 0x8;
const MORE = 0x20;
const TWO_SCALES = 0x40;
const MATRIX = 0x80;
const INSTRUCTED = 0x100;

function writeComposite(out: Writer, streams: Streams, box: readonly number[] | undefined): number {
  if (!box) throw new RangeError('A composite glyph has no box.');
  out.i16(COMPOSITE);
  for (const edge of box) out.i16(edge);
  let instructed = false;
  for (let flags = MORE; flags & MORE; ) {
    flags = streams.composites.u16();
    instructed ||= (flags & INSTRUCTED) !== 0;
    const scale = flags & SCALE ? 2 : flags & TWO_SCALES ? 4 : flags & MATRIX ? 8 : 0;
    out.u16(flags);
    out.append(streams.composites.bytes(2 + (flags & WORDS ? 4 : 2) + scale));
  }
  if (instructed) {
    const hints = streams.glyphs.packed16();
    out.u16(hints);
    out.append(streams.instructions.bytes(hints));
  }
  return box[0] ?? 0;
}

/** A growing buffer of bytes. */
class Writer {
  #bytes = new Uint8Array(1 << 16);
  length = 0;

  #room(count: number): void {
    if (this.length + count <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(2 * this.#bytes.length, this.length + count));
    larger.set(this.#bytes);
    this.#bytes = larger;
  }

  u8(value: number): void {
    this.#room(1);
    this.#bytes[this.length++] = value;
  }

  u16(value: number): void {
    this.u8((value >> 8) & 0xff);
    this.u8(value & 0xff);
  }

  i16(value: number): void {
    if (value < -0x8000 || value > 0x7fff) throw new RangeError('A coordinate is out of range.');
    this.u16(value);
  }

  append(bytes: Uint8Array): void {
    this.#room(bytes.length);
    this.#bytes.set(bytes, this.length);
    this.length += bytes.length;
  }

  /** Glyphs begin at multiples of four bytes. */
  align(): void {
    while (this.length % 4 !== 0) this.u8(0);
  }

  bytes(): Uint8Array {
    return this.#bytes.slice(0, this.length);
  }
}
