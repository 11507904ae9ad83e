import { useRef, useState } from 'react';
import { useStore } from 'zustand';
import { MAX_GUIDES } from '../../../../core/scene/limits.ts';
import { snapToGrid } from '../geometry/snap.ts';
import type { EditorModel } from '../state/editor-store.ts';
import css from './canvas.module.css';

/** A guide being dragged; `index` -1 is a new one. */
interface Drag {
  readonly axis: 'x' | 'y';
  readonly index: number;
  readonly at: number;
}

export interface Guides {
  readonly drag: Drag | undefined;
  begin(event: React.PointerEvent, axis: 'x' | 'y', index: number): void;
}

/** Dragging of guides: out of a ruler, along the card, and away from it to remove one. */
export function useGuides(
  model: EditorModel,
  toCard: (event: { clientX: number; clientY: number }) => { x: number; y: number },
): Guides {
  const [drag, setDrag] = useState<Drag>();
  const latest = useRef<Drag>(undefined);
  const show = (next: Drag | undefined) => {
    latest.current = next;
    setDrag(next);
  };
  return {
    drag,
    begin(event, axis, index) {
      if (event.button !== 0) return;
      event.preventDefault();
      event.stopPropagation();
      const place = (moved: { clientX: number; clientY: number; shiftKey: boolean }): number => {
        const value = toCard(moved)[axis];
        return model.state.snapping && !moved.shiftKey ? snapToGrid(value) : Math.round(value * 100) / 100;
      };
      const move = (moved: PointerEvent) => show({ axis, index, at: place(moved) });
      const end = (moved: PointerEvent) => {
        stop();
        if (moved.type === 'pointerup') settle(model, latest.current);
        show(undefined);
      };
      const stop = () => {
        window.removeEventListener('pointermove', move);
        window.removeEventListener('pointerup', end);
        window.removeEventListener('pointercancel', end);
      };
      window.addEventListener('pointermove', move);
      window.addEventListener('pointerup', end);
      window.addEventListener('pointercancel', end);
    },
  };
}

/** Keeps a guide where it was let go; off the card it goes. */
function settle(model: EditorModel, drag: Drag | undefined): void {
  if (!drag) return;
  const { size, bleed } = model.state.scene;
  const length = drag.axis === 'x' ? size.w : size.h;
  const onCard = drag.at >= -bleed && drag.at <= length + bleed;
  model.act((draft) => {
    const list = draft.guides[drag.axis];
    if (drag.index < 0) {
      if (onCard && list.length < MAX_GUIDES) list.push(drag.at);
    } else if (onCard) list[drag.index] = drag.at;
    else list.splice(drag.index, 1);
  });
}

/** The guides over the card. */
export function GuideLines({ model, guides, scale }: { model: EditorModel; guides: Guides; scale: number }) {
  const { x, y } = useStore(model.store, (state) => state.scene.guides);
  const { drag } = guides;
  const lines = [
    ...x.map((at, index) => ({ axis: 'x' as const, index, at })),
    ...y.map((at, index) => ({ axis: 'y' as const, index, at })),
  ].map((line) => (drag && drag.axis === line.axis && drag.index === line.index ? drag : line));
  if (drag && drag.index < 0) lines.push({ ...drag, index: -1 });
  return lines.map(({ axis, index, at }) => (
    <div
      key={`${axis}${index}`}
      className={axis === 'x' ? css.guideX : css.guideY}
      data-guide={axis}
      aria-hidden
      style={axis === 'x' ? { left: at * scale } : { top: at * scale }}
      onPointerDown={(event) => guides.begin(event, axis, index)}
    />
  ));
}
