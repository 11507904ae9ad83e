import { ImageLibrary } from '../../core/images/library.ts';
import { isStatic } from '../../core/imposition/images/image-files.ts';
import { checkCard, Gathered, type Look } from '../../core/table/preflight.ts';
import { RenderContext } from '../../render/render-context.ts';
import { type Endpoint, serve } from '../rpc.ts';
import { FONT_LISTS, fetchFace, imageReader } from '../sources/sources.ts';
import type { PreflightMethods } from './preflight-protocol.ts';

/** Cards laid out between two yields to the event loop. */
const STRETCH = 20;
/** Most findings kept: a longer list helps nobody. */
const MAX_FINDINGS = 5_000;

serve<PreflightMethods>(self as unknown as Endpoint, {
  check: async ({ looks, rows, columns, library: images, sizes = false }, { signal, progress }) => {
    const library = new ImageLibrary(images);
    const renderContext = new RenderContext(
      fetchFace,
      imageReader(new Map(), () => library),
      FONT_LISTS,
    );
    const looksAt = new Map<number, Look[]>();
    for (const look of looks) {
      // A back without data from its card is checked once.
      const cards = look.side === 'back' && isStatic(look.layout) ? look.cards.slice(0, 1) : look.cards;
      for (const card of cards) looksAt.set(card, [...(looksAt.get(card) ?? []), look]);
    }
    const gathered = new Gathered();
    const { findings } = gathered;
    for (const [i, row] of rows.entries()) {
      for (const { id, layout, side } of looksAt.get(i) ?? []) {
        const list = await renderContext.layOut(layout, row, columns);
        const found = checkCard(i, {
          layout,
          list,
          columns,
          sizeOf: (image) => renderContext.images.size(image),
          sizes,
        });
        for (const finding of found) {
          const { message } = finding;
          gathered.add({
            ...finding,
            layout: id,
            message: side === 'front' ? message : `On its back: ${message}`,
          });
        }
      }
      if (findings.length >= MAX_FINDINGS) break;
      if (i % STRETCH !== STRETCH - 1) continue;
      progress(i + 1);
      await new Promise((resolve) => setTimeout(resolve, 0));
      signal.throwIfAborted();
    }
    return { value: findings.slice(0, MAX_FINDINGS), transfer: [] };
  },
});
