import { ChevronLeft, ChevronRight, Maximize, ZoomIn, ZoomOut } from 'lucide-react';
import { type KeyboardEvent, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { sheetPreview } from '../../../core/imposition/images/sheet-preview.ts';
import type { PrintPart } from '../../../core/imposition/job/print-job.ts';
import type { PrintSettings } from '../../../core/imposition/settings.ts';
import type { Sheet, SheetPlan } from '../../../core/imposition/sheets/sheet.ts';
import { isolated } from '../../../core/text/names.ts';
import { PaintedCanvas } from '../../painting/painted-canvas.tsx';
import { sharedRenderer } from '../../painting/renderer.ts';
import type { BitmapSource } from '../../painting/use-painted-canvas.ts';
import css from './print.module.css';

/** One side of a paper, and the part it belongs to. */
export interface ShownSheet {
  readonly part: PrintPart;
  readonly plan: SheetPlan;
  readonly sheet: Sheet;
}

/** Factors on the size that fits. */
const ZOOMS = [1, 1.5, 2, 3, 4, 6] as const;
/** Most pixels of a painted sheet: sharper is not seen, and costs memory. */
const MAX_PAINTED_PX = 16_000_000;
const MAX_DEVICE_RATIO = 2;
/** Height of a page that fits, in CSS pixels. */
const FIT_HEIGHT_PX = 760;

const SIDES: Readonly<Record<Sheet['side'], string>> = {
  front: 'fronts',
  back: 'backs',
  both: 'fronts and backs',
};

/** The sheets as they will come out of the printer, one at a time. */
export function SheetPreview({
  sheets,
  settings,
}: {
  sheets: readonly ShownSheet[];
  settings: PrintSettings;
}) {
  const area = useRef<HTMLDivElement>(null);
  const [room, setRoom] = useState(640);
  const [wanted, setWanted] = useState(0);
  const [zoom, setZoom] = useState(0);
  const index = Math.min(wanted, sheets.length - 1);
  const shown = sheets[index];
  useEffect(() => {
    const element = area.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setRoom(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  if (!shown) return null;
  const { w, h } = shown.plan;
  // Room for a scroll bar, so that its coming does not change the size it came for.
  const fit = Math.max(20, Math.min((room - 18) / w, FIT_HEIGHT_PX / h) * w);
  const width = fit * (ZOOMS[zoom] ?? 1);
  const go = (to: number) => setWanted(Math.max(0, Math.min(sheets.length - 1, to)));
  const magnify = (to: number) => setZoom(Math.max(0, Math.min(ZOOMS.length - 1, to)));
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'PageDown') go(index + 1);
    else if (event.key === 'PageUp') go(index - 1);
    else if (event.key === '+' || event.key === '=') magnify(zoom + 1);
    else if (event.key === '-') magnify(zoom - 1);
    else if (event.key === '0') magnify(0);
    else return;
    event.preventDefault();
  };
  return (
    <figure className={css.figure}>
      <figcaption>
        <Tool label="Previous page" disabled={index === 0} onClick={() => go(index - 1)}>
          <ChevronLeft size={18} aria-hidden />
        </Tool>
        <span aria-live="polite">
          Page {index + 1} of {sheets.length}
          <small>
            {sheets.some(({ part }) => part.name !== shown.part.name) && `${shown.part.name}, `}
            {shown.sheet.placements.length === 0 ? 'left empty' : titleOf(shown.sheet)}
          </small>
        </span>
        <Tool label="Next page" disabled={index >= sheets.length - 1} onClick={() => go(index + 1)}>
          <ChevronRight size={18} aria-hidden />
        </Tool>
        <span className={css.zoom}>
          <Tool label="Smaller" disabled={zoom === 0} onClick={() => magnify(zoom - 1)}>
            <ZoomOut size={17} aria-hidden />
          </Tool>
          <Tool label="Larger" disabled={zoom === ZOOMS.length - 1} onClick={() => magnify(zoom + 1)}>
            <ZoomIn size={17} aria-hidden />
          </Tool>
          <Tool label="Whole page" disabled={zoom === 0} onClick={() => magnify(0)}>
            <Maximize size={16} aria-hidden />
          </Tool>
        </span>
      </figcaption>
      <section
        className={css.scroller}
        ref={area}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled area must be reachable by keys
        tabIndex={0}
        aria-label="Sheet, page up and down turn pages, plus and minus zoom"
        onKeyDown={onKeyDown}
      >
        <PaintedSheet
          shown={shown}
          settings={settings}
          width={width}
          label={`Page ${index + 1}: ${describe(shown)}`}
        />
      </section>
    </figure>
  );
}

/** The part of a board on a sheet, or the sides of its cards. */
const titleOf = ({ name, side }: Sheet): string =>
  name === undefined ? SIDES[side] : side === 'back' ? `${name}, back` : name;

function describe({ part, sheet }: ShownSheet): string {
  const cards = sheet.placements.length;
  if (sheet.name) return `${titleOf(sheet)} of ${isolated(part.name)}`;
  return cards === 0 ? 'left empty' : `${cards} ${SIDES[sheet.side]} of ${isolated(part.name)}`;
}

function Tool({
  label,
  disabled,
  onClick,
  children,
}: {
  label: string;
  disabled: boolean;
  onClick: () => void;
  children: React.ReactNode;
}) {
  return (
    <button type="button" aria-label={label} title={label} disabled={disabled} onClick={onClick}>
      {children}
    </button>
  );
}

/** A sheet painted by a worker. */
function PaintedSheet({
  shown,
  settings,
  width,
  label,
}: {
  shown: ShownSheet;
  settings: PrintSettings;
  width: number;
  label: string;
}) {
  const { part, plan, sheet } = shown;
  const scale = useMemo(() => {
    const ratio = Math.min(MAX_DEVICE_RATIO, window.devicePixelRatio || 1);
    return Math.min((width * ratio) / plan.w, Math.sqrt(MAX_PAINTED_PX / (plan.w * plan.h)));
  }, [width, plan.w, plan.h]);
  const paint = useCallback<BitmapSource>(
    (signal) => sharedRenderer().renderPainting(sheetPreview(part, plan, sheet, settings, scale), { signal }),
    [part, plan, sheet, settings, scale],
  );
  return (
    <div className={css.sheet} style={{ width, height: (width * plan.h) / plan.w }}>
      <PaintedCanvas source={paint} label={label}>
        {(problem) => problem && <p className={css.unpainted}>This page could not be painted: {problem}</p>}
      </PaintedCanvas>
    </div>
  );
}
