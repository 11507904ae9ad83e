import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { DisplayList } from '../core/scene/display/display-list.ts';
import { toPng } from '../render/images/to-png.ts';
import type { FileTools } from '../render/pdf/file.ts';
import { createSubsetter } from '../render/pdf/fonts/subset.ts';
import type { RenderContext } from '../render/render-context.ts';
import { StoreError } from './project/store.ts';

/** Most cards named in one message. */
const MAX_NAMED = 20;

/** Program folder, and whether there is a canvas. */
export interface Equipment {
  /** Folder of the program; the fonts are beside it. */
  readonly folder: string;
  /** Reason that there is no canvas, if so. */
  readonly noCanvas: string | undefined;
  /** Most pixels of one painting. */
  readonly maxPixels: number;
  /** Leave out of a PDF the effects that need a canvas, when there is none. */
  readonly withoutEffects: boolean;
}

/** The tools of a PDF's file; without a canvas those that paint are missing. */
export async function fileTools(
  renderContext: RenderContext,
  { folder, noCanvas }: Equipment,
): Promise<FileTools> {
  return {
    fonts: renderContext.fonts,
    subsetter: await createSubsetter(readFileSync(path.join(folder, 'harfbuzz-subset.wasm'))),
    imageBytes: async (source) => renderContext.images.bytes(source),
    drawing: (source) => renderContext.images.drawing(source),
    ...(noCanvas === undefined && { toPng, rasterise: renderContext.rasterise }),
  };
}

/** The effects of a PDF's cards that need a canvas where there is none, with the cards that have them. */
export class LackingEffects {
  readonly #equipment: Pick<Equipment, 'noCanvas' | 'withoutEffects'>;
  readonly #cards = new Map<string, Set<string>>();

  constructor(equipment: Pick<Equipment, 'noCanvas' | 'withoutEffects'>) {
    this.#equipment = equipment;
  }

  /** Notes what a card has. */
  note(list: Pick<DisplayList, 'ops'>, name: () => string): void {
    if (this.#equipment.noCanvas === undefined) return;
    for (const op of list.ops) {
      if (op.op !== 'push' || !op.raster) continue;
      this.#cards.set(op.raster, (this.#cards.get(op.raster) ?? new Set()).add(name()));
    }
  }

  /** Refuses them, unless they may be left out. @throws StoreError naming them and their cards */
  refuse(): void {
    if (this.#cards.size === 0 || this.#equipment.withoutEffects) return;
    const lines = [...this.#cards].map(([reason, cards]) => {
      const names = [...cards].slice(0, MAX_NAMED).join(', ');
      return `  ${reason}: ${names}${cards.size > MAX_NAMED ? ` and ${cards.size - MAX_NAMED} more` : ''}`;
    });
    throw new StoreError(
      `These cards have effects that need a canvas, and there is none for this machine (${this.#equipment.noCanvas}):\n${lines.join('\n')}\nExport them in the application, or add --without-effects.`,
    );
  }
}
