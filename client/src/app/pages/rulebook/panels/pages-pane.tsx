import { useCallback, useEffect, useRef } from 'react';
import { Loading, Placeholder, Problem } from '../../../../ui/page/page.tsx';
import type { PlacedBlock, SetPage } from '../../../../workers/rulebook/rulebook-protocol.ts';
import type { RulebookSetter } from '../../../../workers/rulebook/rulebook-setter.ts';
import { useNear } from '../../../painting/use-near.ts';
import { type BitmapSource, usePaintedCanvas } from '../../../painting/use-painted-canvas.ts';
import css from '../rulebook.module.css';
import type { ShownPages } from '../state/use-pages.ts';

/** Sharper than this is not seen and costs memory. */
const MAX_DEVICE_RATIO = 2;

/** The block at a point of a page, in millimetres: the innermost box, or the nearest one above. */
function blockAt(blocks: readonly PlacedBlock[], x: number, y: number): string | undefined {
  const within = blocks.filter(
    ({ area }) => x >= area.x && x <= area.x + area.w && y >= area.y && y <= area.y + area.h,
  );
  if (within.length > 0) return within.at(-1)?.block;
  const above = blocks.filter(({ area }) => area.y <= y);
  return (above.at(-1) ?? blocks[0])?.block;
}

function PageView({
  page,
  setter,
  width,
  active,
  onBlock,
}: {
  page: SetPage;
  setter: RulebookSetter;
  /** In CSS pixels. */
  width: number;
  /** Block with the cursor. */
  active: string | undefined;
  onBlock: (block: string) => void;
}) {
  const frame = useRef<HTMLButtonElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const near = useNear(frame);
  const { number, w, h, mark } = page;
  const scale = width / w;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the mark says what is on the page
  const paint = useCallback<BitmapSource>(
    (signal) =>
      setter.paint(number, scale * Math.min(MAX_DEVICE_RATIO, window.devicePixelRatio || 1), signal),
    [setter, number, scale, mark],
  );
  const { state } = usePaintedCanvas(canvas, near ? paint : undefined);
  const marked = page.blocks.filter(({ block }) => block === active);
  return (
    <button
      ref={frame}
      type="button"
      className={css.page}
      style={{ width, height: h * scale }}
      data-page={number}
      data-state={state}
      aria-label={`Page ${number}: go to its text`}
      onClick={(event) => {
        const box = event.currentTarget.getBoundingClientRect();
        const atKeyboard = event.detail === 0;
        const [x, y] = atKeyboard
          ? [w / 2, 0]
          : [(event.clientX - box.left) / scale, (event.clientY - box.top) / scale];
        const block = atKeyboard ? page.blocks[0]?.block : blockAt(page.blocks, x, y);
        if (block) onBlock(block);
      }}
    >
      <canvas ref={canvas} aria-hidden />
      {marked.map(({ area }) => (
        <span
          key={`${area.x} ${area.y}`}
          className={css.marker}
          style={{ left: area.x * scale - 8, top: area.y * scale, height: Math.max(area.h * scale, 4) }}
        />
      ))}
    </button>
  );
}

/** The pages as they will be printed, side by side as spreads where there is room; they follow the cursor. */
export function PagesPane({
  pages: { reply, problem, setter },
  active,
  width,
  onBlock,
}: {
  pages: ShownPages;
  active: string | undefined;
  /** Width of one page in CSS pixels. */
  width: number;
  onBlock: (block: string) => void;
}) {
  const pane = useRef<HTMLDivElement>(null);
  const page = active === undefined ? undefined : reply?.starts.find(([block]) => block === active)?.[1];
  useEffect(() => {
    if (page === undefined) return;
    const element = pane.current?.querySelector<HTMLElement>(`[data-page="${page}"]`);
    const box = pane.current;
    if (!element || !box) return;
    const top = element.offsetTop - box.offsetTop;
    const seen = top + element.offsetHeight / 2 > box.scrollTop && top < box.scrollTop + box.clientHeight / 2;
    if (!seen) box.scrollTo({ top: top - 24 });
  }, [page]);
  return (
    <div ref={pane} className={css.pages} data-tutorial="pages" aria-busy={!reply}>
      {problem && <Problem title={problem} />}
      {!reply && !problem && (
        <>
          <Loading label="Setting the pages" />
          <Placeholder width={width} height={width * 1.4} radius={2} />
        </>
      )}
      {setter &&
        reply?.pages.map((one) => (
          <PageView
            key={one.number}
            page={one}
            setter={setter}
            width={width}
            active={active}
            onBlock={onBlock}
          />
        ))}
    </div>
  );
}
