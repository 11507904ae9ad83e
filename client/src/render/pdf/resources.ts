import { type PDFContext, type PDFDict, PDFName, type PDFRef } from '@cantoo/pdf-lib';
import type { Paint, PaintStop } from '../../core/scene/display/display-list.ts';
import type { Blend } from '../../core/scene/style/paint.ts';

/** A fill that PDF shades by itself. */
export type ShadingPaint = Extract<Paint, { kind: 'linear' | 'radial' }>;

type Category = 'ExtGState' | 'Shading' | 'XObject' | 'Font';
const PREFIX: Record<Category, string> = { ExtGState: 'G', Shading: 'S', XObject: 'X', Font: 'F' };

const BLEND_NAMES: Readonly<Record<Blend, string>> = {
  normal: 'Normal',
  multiply: 'Multiply',
  screen: 'Screen',
  overlay: 'Overlay',
  darken: 'Darken',
  lighten: 'Lighten',
  'color-dodge': 'ColorDodge',
  'color-burn': 'ColorBurn',
  'hard-light': 'HardLight',
  'soft-light': 'SoftLight',
  difference: 'Difference',
  exclusion: 'Exclusion',
  hue: 'Hue',
  saturation: 'Saturation',
  color: 'Color',
  luminosity: 'Luminosity',
};

/** The one resource dictionary that every page and form of the document shares. */
export class Resources {
  readonly context: PDFContext;
  readonly ref: PDFRef;
  readonly #categories: Record<Category, PDFDict>;
  readonly #names = new Map<string, string>();
  #count = 0;

  constructor(context: PDFContext) {
    this.context = context;
    this.#categories = {
      ExtGState: context.obj({}),
      Shading: context.obj({}),
      XObject: context.obj({}),
      Font: context.obj({}),
    };
    this.ref = context.register(context.obj({ ...this.#categories }));
  }

  /** Names an object; a repeated key gets the same name without making the object again. */
  name(category: Category, key: string, make: () => PDFRef): string {
    const known = this.#names.get(`${category} ${key}`);
    if (known) return known;
    const name = `${PREFIX[category]}${this.#count++}`;
    this.#categories[category].set(PDFName.of(name), make());
    this.#names.set(`${category} ${key}`, name);
    return name;
  }

  /** Names an object that occurs once. */
  unique(category: Category, object: PDFRef): string {
    return this.name(category, object.toString(), () => object);
  }

  state(alpha: number, blend: Blend = 'normal'): string {
    return this.name('ExtGState', `${alpha} ${blend}`, () =>
      this.context.register(
        this.context.obj({ Type: 'ExtGState', ca: alpha, CA: alpha, BM: BLEND_NAMES[blend] }),
      ),
    );
  }

  /** A graphics state whose soft mask is the brightness of a form, in the space where it is set. */
  softMask(form: PDFRef): string {
    return this.name('ExtGState', `mask ${form}`, () =>
      this.context.register(
        this.context.obj({ Type: 'ExtGState', SMask: { Type: 'Mask', S: 'Luminosity', G: form } }),
      ),
    );
  }

  shading(paint: ShadingPaint, channel: 'color' | 'alpha'): string {
    return this.name('Shading', `${channel} ${JSON.stringify(paint)}`, () => this.#shading(paint, channel));
  }

  #shading(paint: ShadingPaint, channel: 'color' | 'alpha'): PDFRef {
    const coords =
      paint.kind === 'linear'
        ? [paint.from.x, paint.from.y, paint.to.x, paint.to.y]
        : [paint.center.x, paint.center.y, 0, paint.center.x, paint.center.y, paint.radius];
    return this.context.register(
      this.context.obj({
        ShadingType: paint.kind === 'linear' ? 2 : 3,
        ColorSpace: channel === 'color' ? 'DeviceRGB' : 'DeviceGray',
        Coords: coords,
        Extend: [true, true],
        Function: this.#stitch(paint.stops, channel),
      }),
    );
  }

  #stitch(stops: readonly PaintStop[], channel: 'color' | 'alpha'): PDFRef {
    const values = ({ color }: PaintStop): number[] =>
      channel === 'color' ? [color[0] / 255, color[1] / 255, color[2] / 255] : [color[3]];
    // The first and last colours extend beyond their stops.
    const first = stops[0];
    const last = stops.at(-1);
    if (!first || !last) throw new Error('A gradient needs stops.');
    const all = [{ ...first, at: 0 }, ...stops, { ...last, at: 1 }];
    const functions: PDFDict[] = [];
    const bounds: number[] = [];
    for (const [index, stop] of all.entries()) {
      const next = all[index + 1];
      if (!next || next.at <= stop.at) continue;
      if (functions.length > 0) bounds.push(stop.at);
      functions.push(
        this.context.obj({ FunctionType: 2, Domain: [0, 1], C0: values(stop), C1: values(next), N: 1 }),
      );
    }
    return this.context.register(
      this.context.obj({
        FunctionType: 3,
        Domain: [0, 1],
        Functions: functions,
        Bounds: bounds,
        Encode: functions.flatMap(() => [0, 1]),
      }),
    );
  }
}
