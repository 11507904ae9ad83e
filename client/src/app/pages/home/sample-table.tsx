import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { GameBox } from '../../../core/play/box/pack.ts';
import { type Preview, previewOf } from '../../../core/play/set-up/preview.ts';
import { arranged, boundsOf } from '../../../core/play/view/arrange.ts';
import { useFlagOnce } from '../../../data/site/site.ts';
import { fitting } from '../../../render/play/camera.ts';
import { OpenSample } from '../play/sample/open-sample.tsx';
import { tableColours, useFaces, usePainter } from '../play/surface/use-painter.ts';
import css from './sample-table.module.css';

/** Cards that lie open, one of each kind and a tide, in rows of four. */
const OPEN = [0, 8, 14, 21, 24, 5, 10, 19];
const COLUMNS = 4;
/** Pixels of the canvas for one of the page, at most. */
const MAX_RATIO = 2;

/** The game that the server opens sample tables with. */
interface Sample {
  readonly name: string;
  readonly box: GameBox;
}

/** The sample game as it lies on a table, and the button that opens one. */
export default function SampleTable() {
  if (!useFlagOnce('sampleTable')) return null;
  return (
    <section className={css.section} aria-labelledby="sample-table">
      <div className={css.words}>
        <h2 id="sample-table">Then play it, before it is printed.</h2>
        <p>
          Driftglass, a small game that comes with Tuckbox, lies ready on a table. Open it, send a friend the
          link, and draw. No account, nothing to install; after an hour the table forgets itself.
        </p>
        <OpenSample size="lg">Sit down at a table</OpenSample>
      </div>
      <Picture />
    </section>
  );
}

/** The table, painted as it is painted where it is played. */
function Picture() {
  const sample = useSample();
  const view = useMemo(() => sample && previewOf(sample.box, 'Finds', OPEN, COLUMNS), [sample]);
  return (
    <div
      className={css.felt}
      role="img"
      aria-label="The sample game on a table: a deck face down, and eight cards face up beside it"
    >
      {view && <Painted view={view} />}
    </div>
  );
}

/** The box, fetched once. Without it the felt stays empty: the button does not need it. */
function useSample(): Sample | undefined {
  const [sample, setSample] = useState<Sample>();
  useEffect(() => {
    const ending = new AbortController();
    fetch('/sample-table.json', { signal: ending.signal })
      .then((answer) => (answer.ok ? (answer.json() as Promise<Sample>) : undefined))
      .then(setSample, (error) => {
        if (!ending.signal.aborted) console.warn('The sample game cannot be read', error);
      });
    return () => ending.abort();
  }, []);
  return sample;
}

function Painted({ view }: { view: Preview }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const { faces, painted } = useFaces(view.common);
  const painter = usePainter(faces);
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false });
  const screen = useSize(canvas);
  const placed = useMemo(() => arranged(view), [view]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new picture and another theme are painted too
  useLayoutEffect(() => {
    const ctx = canvas.current?.getContext('2d');
    if (!canvas.current || !ctx || screen.w === 0) return;
    const ratio = Math.min(MAX_RATIO, window.devicePixelRatio || 1);
    const [width, height] = [Math.round(screen.w * ratio), Math.round(screen.h * ratio)];
    Object.assign(canvas.current, { width, height });
    const camera = fitting(boundsOf(placed), screen);
    const scene = { placed, camera, screen, selected: new Set<string>(), drags: [], pointers: [], pings: [] };
    painter.paint(ctx, { ...scene, view }, tableColours(canvas.current), ratio);
    // All sides are there: tests and pictures of the page wait for it.
    canvas.current.dataset['state'] = faces.isPainting ? 'painting' : 'painted';
  }, [placed, view, screen, painter, painted, scheme]);
  return <canvas ref={canvas} aria-hidden />;
}

/** Size of an element in CSS pixels, as it changes. */
function useSize(element: React.RefObject<HTMLElement | null>): { readonly w: number; readonly h: number } {
  const [size, setSize] = useState({ w: 0, h: 0 });
  useEffect(() => {
    const { current } = element;
    if (!current) return;
    const observer = new ResizeObserver(() => setSize({ w: current.clientWidth, h: current.clientHeight }));
    observer.observe(current);
    return () => observer.disconnect();
  }, [element]);
  return size;
}
