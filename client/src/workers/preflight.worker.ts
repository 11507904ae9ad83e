import { ImageLibrary } from '../core/images/library.ts';
import { checkCard, type Finding } from '../core/table/preflight.ts';
import { Stage } from '../render/stage.ts';
import type { PreflightMethods } from './preflight-protocol.ts';
import { type Endpoint, serve } from './rpc.ts';
import { fetchFace, fetchFontList, imageReader } from './sources.ts';

/** Cards laid out before messages are let in. */
const STRETCH = 20;
/** Most findings kept: beyond it the list helps nobody. */
const MAX_FINDINGS = 5_000;

serve<PreflightMethods>(self as unknown as Endpoint, {
  check: async ({ layout, rows, columns, library: images }, { signal, progress }) => {
    const library = new ImageLibrary(images);
    const stage = new Stage(
      fetchFace,
      imageReader(new Map(), () => library),
      fetchFontList,
    );
    const findings: Finding[] = [];
    for (const [i, row] of rows.entries()) {
      const list = await stage.layOut(layout, row, columns);
      findings.push(...checkCard(i, { layout, list, columns, sizeOf: (image) => stage.images.size(image) }));
      if (findings.length >= MAX_FINDINGS) break;
      if (i % STRETCH !== STRETCH - 1) continue;
      progress(i + 1);
      await new Promise((resolve) => setTimeout(resolve, 0));
      signal.throwIfAborted();
    }
    return { value: findings.slice(0, MAX_FINDINGS), transfer: [] };
  },
});
