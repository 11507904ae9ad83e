/** Pictures kept of faces and backs, in bytes: 96 MB, half of it on devices with little memory. */
export const CACHE_BYTES = 96 * 1024 * 1024;
export const SMALL_CACHE_BYTES = 48 * 1024 * 1024;

/** Widths in which pictures are kept, in device pixels. */
export const WIDTHS = [64, 128, 256, 512, 1024] as const;

const BYTES_PER_PIXEL = 4;

/** A side of a piece to be painted. */
export interface Wanted<Look> {
  /** The same for sides that look alike. */
  readonly key: string;
  readonly look: Look;
}

/** Paints a look so wide; rejects when it cannot be painted. */
export type PaintLook<Look> = (look: Look, width: number, signal: AbortSignal) => Promise<ImageBitmap>;

interface Kept {
  readonly bitmap: ImageBitmap;
  readonly bytes: number;
  /** It is painted anew when this is not the cache's own. */
  readonly generation: number;
}

/**
 * Pictures of faces and backs in the size in which they are drawn: scaling large ones in each frame is ten times
 * slower. A picture that is missing is painted, and another size of it is shown meanwhile.
 */
export class FaceCache<Look> {
  readonly #paint: PaintLook<Look>;
  readonly #ready: () => void;
  readonly #most: number;
  readonly #kept = new Map<string, Kept>();
  #bytes = 0;
  #generation = 0;
  #version = 0;
  readonly #underway = new Map<string, AbortController>();
  /** Keys that could not be painted; they are not tried again before `forget`. */
  readonly #failed = new Set<string>();

  /** @param ready called when another picture is there */
  constructor(paint: PaintLook<Look>, ready: () => void, most = CACHE_BYTES) {
    this.#paint = paint;
    this.#ready = () => {
      this.#version += 1;
      ready();
    };
    this.#most = most;
  }

  /** True while pictures that were asked for are being painted. */
  get isPainting(): boolean {
    return this.#underway.size > 0;
  }

  /** Another number whenever `get` or `hasFailed` may answer otherwise than before. */
  get version(): number {
    return this.#version;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** A picture at least `px` device pixels wide, or the nearest there is; undefined while there is none. */
  get({ key, look }: Wanted<Look>, px: number): ImageBitmap | undefined {
    const width = WIDTHS.find((one) => one >= px) ?? WIDTHS[WIDTHS.length - 1] ?? 0;
    const exact = this.#take(`${key}@${width}`);
    if (exact?.generation === this.#generation) return exact.bitmap;
    this.#begin(key, look, width);
    if (exact) return exact.bitmap;
    return [...WIDTHS]
      .reverse()
      .map((other) => this.#kept.get(`${key}@${other}`)?.bitmap)
      .find(Boolean);
  }

  hasFailed(key: string): boolean {
    return this.#failed.has(key);
  }

  /** Paints everything anew, as after a change of the pictures that looks show. Old ones show until then. */
  forget(): void {
    for (const abort of this.#underway.values()) abort.abort();
    this.#underway.clear();
    this.#failed.clear();
    this.#generation += 1;
    this.#ready();
  }

  dispose(): void {
    for (const abort of this.#underway.values()) abort.abort();
    this.#underway.clear();
    for (const { bitmap } of this.#kept.values()) bitmap.close();
    this.#kept.clear();
    this.#bytes = 0;
  }

  #take(id: string): Kept | undefined {
    const kept = this.#kept.get(id);
    if (!kept) return undefined;
    // Used last, let go last.
    this.#kept.delete(id);
    this.#kept.set(id, kept);
    return kept;
  }

  #begin(key: string, look: Look, width: number): void {
    const id = `${key}@${width}`;
    if (this.#underway.has(id) || this.#failed.has(key)) return;
    const abort = new AbortController();
    this.#underway.set(id, abort);
    this.#paint(look, width, abort.signal).then(
      (bitmap) => {
        if (abort.signal.aborted) {
          bitmap.close();
          return;
        }
        this.#underway.delete(id);
        this.#keep(id, bitmap);
        this.#ready();
      },
      () => {
        if (abort.signal.aborted) return;
        this.#underway.delete(id);
        this.#failed.add(key);
        this.#ready();
      },
    );
  }

  #keep(id: string, bitmap: ImageBitmap): void {
    const bytes = bitmap.width * bitmap.height * BYTES_PER_PIXEL;
    const before = this.#kept.get(id);
    if (before) {
      before.bitmap.close();
      this.#bytes -= before.bytes;
      this.#kept.delete(id);
    }
    this.#kept.set(id, { bitmap, bytes, generation: this.#generation });
    this.#bytes += bytes;
    for (const [oldest, { bitmap: old, bytes: size }] of this.#kept) {
      if (this.#bytes <= this.#most || oldest === id) break;
      this.#kept.delete(oldest);
      this.#bytes -= size;
      old.close();
    }
  }
}
