import { readFileSync } from 'node:fs';
import path from 'node:path';
import { blockPlace } from '../core/book/block-words.ts';
import { rulebookPdf } from '../render/pdf/rulebook.ts';
import { createSubsetter } from '../render/pdf/subset.ts';
import type { RenderContext } from '../render/render-context.ts';
import { toPng } from '../render/to-png.ts';
import { RulebookPages } from '../workers/rulebook-pages.ts';
import { type Equipment, type Made, refuseLacking } from './make.ts';
import type { LoadedRulebook } from './rulebook.ts';

/** Makes the PDF of a rulebook, as the application does, and writes it. */
export async function makeRulebook(
  { doc, style, format, facts }: LoadedRulebook,
  renderContext: RenderContext,
  { folder, noCanvas, withoutEffects }: Equipment,
  write: (chunk: Uint8Array) => Promise<void>,
): Promise<Made> {
  const { flowed, project } = await new RulebookPages(renderContext).set({
    doc,
    style,
    format,
    project: facts,
  });
  const lacking = new Map<string, Set<string>>();
  for (const { name } of noCanvas === undefined ? [] : facts.cards) {
    for (const op of project.card(name)?.ops ?? []) {
      if (op.op === 'push' && op.raster) {
        lacking.set(op.raster, (lacking.get(op.raster) ?? new Set()).add(name));
      }
    }
  }
  if (!withoutEffects) refuseLacking(lacking, noCanvas);
  const tools = {
    fonts: renderContext.fonts,
    subsetter: await createSubsetter(readFileSync(path.join(folder, 'harfbuzz-subset.wasm'))),
    imageBytes: async (source: string) => renderContext.images.bytes(source),
    drawing: (source: string) => renderContext.images.drawing(source),
    ...(noCanvas === undefined && { toPng, rasterise: renderContext.rasterise }),
  };
  const { title, language } = doc;
  await write(await rulebookPdf(flowed, tools, { title, created: new Date(), language }));
  return {
    pages: flowed.pages.length,
    cards: facts.cards.length,
    remarks: flowed.issues.map(({ block, message }) => ({
      where: blockPlace(doc.blocks, block) ?? doc.title,
      issue: { zone: block, message },
    })),
  };
}
