import { Maximize2, ZoomIn, ZoomOut } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import type { Column } from '../../../../core/scene/row.ts';
import { Problem } from '../../../../ui/page.tsx';
import { idle } from '../handles/idle.ts';
import { HandleMachine, type PointerInput, type PointerTarget } from '../handles/machine.ts';
import { type EditorModel, withPreview } from '../state/editor-store.ts';
import css from './canvas.module.css';
import { handleContext } from './handle-context.ts';
import { useStage } from './use-stage.ts';
import { ZoneBox } from './zone-box.tsx';

/** Space around the card, in CSS pixels. */
const PADDING_PX = 36;
const ZOOM_STEP = 1.25;
const MIN_ZOOM = 0.25;
const MAX_ZOOM = 6;

/** CSS pixels per millimetre at which the whole card with its bleed fits. */
function useFit(area: React.RefObject<HTMLElement | null>, width: number, height: number): number {
  const [fit, setFit] = useState(4);
  useEffect(() => {
    const element = area.current;
    if (!element) return;
    const measure = () => {
      const byWidth = (element.clientWidth - PADDING_PX * 2) / width;
      const byHeight = (element.clientHeight - PADDING_PX * 2) / height;
      setFit(Math.max(0.5, Math.min(byWidth, byHeight)));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [area, width, height]);
  return fit;
}

/** The card, painted, under a layer of boxes that can be taken hold of. */
export function EditorCanvas({
  model,
  cells,
  columns,
}: {
  model: EditorModel;
  cells: Readonly<Record<string, string>>;
  columns: readonly Column[];
}) {
  const scene = useStore(model.store, (state) => state.scene);
  const preview = useStore(model.store, (state) => state.preview);
  const selected = useStore(model.store, (state) => state.selected);
  const shown = useMemo(() => withPreview(scene, preview), [scene, preview]);
  const area = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const sheet = useRef<HTMLDivElement>(null);
  const [zoom, setZoom] = useState(1);
  const { w, h } = scene.size;
  const bleed = scene.bleed;
  const scale = useFit(area, w + bleed * 2, h + bleed * 2) * zoom;
  const { list, error } = useStage(canvas, shown, cells, columns, scale);

  const frames = useRef(list?.zones ?? []);
  frames.current = list?.zones ?? [];
  const [machine] = useState(
    () =>
      new HandleMachine(
        handleContext(model, () => frames.current),
        idle,
      ),
  );
  const origin = useRef<{ x: number; y: number } | undefined>(undefined);

  const toCard = (event: { clientX: number; clientY: number }) => {
    const box = sheet.current?.getBoundingClientRect() ?? { left: 0, top: 0 };
    return { x: (event.clientX - box.left) / scale - bleed, y: (event.clientY - box.top) / scale - bleed };
  };
  const press = (event: React.PointerEvent, target: PointerTarget) => {
    if (event.button !== 0) return;
    event.stopPropagation();
    origin.current = { x: event.clientX, y: event.clientY };
    // Whoever moves out of the card while dragging keeps hold of the zone.
    area.current?.setPointerCapture(event.pointerId);
    machine.send({ type: 'down', at: toCard(event), target });
  };
  const send = (input: PointerInput) => machine.send(input);
  const end = (type: 'up' | 'cancel') => {
    origin.current = undefined;
    send({ type });
  };

  useEffect(() => {
    const onEscape = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && machine.state !== 'idle') {
        event.stopImmediatePropagation();
        origin.current = undefined;
        machine.send({ type: 'cancel' });
      }
    };
    window.addEventListener('keydown', onEscape, true);
    return () => window.removeEventListener('keydown', onEscape, true);
  }, [machine]);

  useEffect(() => {
    const element = area.current;
    if (!element) return;
    const wheel = (event: WheelEvent) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      setZoom((old) => Math.min(MAX_ZOOM, Math.max(MIN_ZOOM, old * Math.exp(-event.deltaY / 400))));
    };
    element.addEventListener('wheel', wheel, { passive: false });
    return () => element.removeEventListener('wheel', wheel);
  }, []);

  const boxes = list?.zones.filter((frame) => frame.kind !== 'base') ?? [];
  return (
    <section className={css.area} aria-label="Canvas">
      <div
        ref={area}
        className={css.scroller}
        onPointerDown={(event) => press(event, { kind: 'card' })}
        onPointerMove={(event) => {
          const from = origin.current;
          if (!from) return;
          const travelled = Math.hypot(event.clientX - from.x, event.clientY - from.y);
          send({ type: 'move', at: toCard(event), travelled, shift: event.shiftKey });
        }}
        onPointerUp={() => end('up')}
        onPointerCancel={() => end('cancel')}
      >
        <div
          ref={sheet}
          className={css.sheet}
          style={{ width: (w + bleed * 2) * scale, height: (h + bleed * 2) * scale }}
        >
          <canvas ref={canvas} className={css.canvas} aria-hidden />
          <div
            className={css.trim}
            aria-hidden
            style={{
              inset: bleed * scale,
              borderRadius: scene.size.shape === 'circle' ? '50%' : scene.size.radius * scale,
            }}
          />
          <div className={css.safe} aria-hidden style={{ inset: (bleed + scene.safe) * scale }} />
          <div
            className={css.overlay}
            style={{ transform: `translate(${bleed * scale}px, ${bleed * scale}px)` }}
          >
            {boxes.map((frame) => (
              <ZoneBox
                key={frame.id}
                frame={frame}
                scale={scale}
                selected={frame.id === selected}
                onPress={press}
                onSelect={(id) => model.select(id)}
              />
            ))}
          </div>
        </div>
        {error && (
          <div className={css.error}>
            <Problem title="The card could not be painted.">{error.message}</Problem>
          </div>
        )}
      </div>
      {list && list.issues.length > 0 && (
        <ul className={css.issues} aria-label="On this card">
          {list.issues.slice(0, 3).map((issue) => (
            <li key={`${issue.zone}:${issue.code}:${issue.message}`}>
              <button type="button" onClick={() => model.select(issue.zone === 'base' ? null : issue.zone)}>
                {issue.message}
              </button>
            </li>
          ))}
        </ul>
      )}
      <fieldset className={css.zoom} aria-label="Zoom">
        <button
          type="button"
          aria-label="Zoom out"
          onClick={() => setZoom((old) => Math.max(MIN_ZOOM, old / ZOOM_STEP))}
        >
          <ZoomOut size={16} aria-hidden />
        </button>
        <span>{Math.round(zoom * 100)}%</span>
        <button
          type="button"
          aria-label="Zoom in"
          onClick={() => setZoom((old) => Math.min(MAX_ZOOM, old * ZOOM_STEP))}
        >
          <ZoomIn size={16} aria-hidden />
        </button>
        <button type="button" aria-label="Fit the card" onClick={() => setZoom(1)}>
          <Maximize2 size={15} aria-hidden />
        </button>
      </fieldset>
    </section>
  );
}
