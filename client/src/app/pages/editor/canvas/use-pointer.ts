import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import type { DisplayList } from '../../../../core/scene/display/display-list.ts';
import { idle } from '../handles/idle.ts';
import { type CardPoint, HandleMachine, type PointerTarget } from '../handles/machine.ts';
import type { EditorModel } from '../state/editor-store.ts';
import { handleContext } from './handle-context.ts';
import type { usePanning } from './use-panning.ts';

/** The pointer's work on the zones of the canvas. */
export interface CanvasPointer {
  press(event: React.PointerEvent, target: PointerTarget): void;
  /** The same, one function for the life of the canvas. */
  readonly onPress: (event: React.PointerEvent, target: PointerTarget) => void;
  move(event: React.PointerEvent): void;
  end(type: 'up' | 'cancel'): void;
  /** The card's point under the pointer. */
  readonly toCard: (event: { clientX: number; clientY: number }) => CardPoint;
}

/** @param scale CSS pixels per millimetre */
export function usePointer({
  model,
  area,
  sheet,
  list,
  scale,
  bleed,
  panning: { begin: beginPan },
}: {
  model: EditorModel;
  area: RefObject<HTMLElement | null>;
  sheet: RefObject<HTMLElement | null>;
  list: DisplayList | undefined;
  scale: number;
  bleed: number;
  panning: ReturnType<typeof usePanning>;
}): CanvasPointer {
  const frames = useRef(list?.zones ?? []);
  frames.current = list?.zones ?? [];
  const shownScale = useRef(scale);
  shownScale.current = scale;
  const [machine] = useState(() => {
    const context = handleContext(
      model,
      () => frames.current,
      () => shownScale.current,
    );
    return new HandleMachine(context, idle);
  });
  const origin = useRef<{ x: number; y: number } | undefined>(undefined);
  useEscape(machine, origin);

  const toCard = useCallback(
    (event: { clientX: number; clientY: number }) => {
      const box = sheet.current?.getBoundingClientRect() ?? { left: 0, top: 0 };
      return { x: (event.clientX - box.left) / scale - bleed, y: (event.clientY - box.top) / scale - bleed };
    },
    [sheet, scale, bleed],
  );
  const press = (event: React.PointerEvent, target: PointerTarget) => {
    if (beginPan(event) || event.button !== 0) return;
    event.stopPropagation();
    origin.current = { x: event.clientX, y: event.clientY };
    // Whoever moves out of the card while dragging keeps hold of the zone.
    area.current?.setPointerCapture(event.pointerId);
    machine.send({ type: 'down', at: toCard(event), target, shift: event.shiftKey });
  };
  const latestPress = useRef(press);
  latestPress.current = press;
  const onPress = useCallback(
    (event: React.PointerEvent, target: PointerTarget) => latestPress.current(event, target),
    [],
  );
  const move = (event: React.PointerEvent) => {
    const from = origin.current;
    if (!from) return;
    const travelled = Math.hypot(event.clientX - from.x, event.clientY - from.y);
    const { shiftKey: shift, altKey: alt } = event;
    machine.send({ type: 'move', at: toCard(event), travelled, shift, alt });
  };
  const end = (type: 'up' | 'cancel') => {
    origin.current = undefined;
    machine.send({ type });
  };
  return { press, onPress, move, end, toCard };
}

/** Escape ends a drag and leaves the zones where they were. */
function useEscape(machine: HandleMachine, origin: RefObject<unknown>): void {
  useEffect(() => {
    const onEscape = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || machine.state === 'idle') return;
      event.stopImmediatePropagation();
      origin.current = undefined;
      machine.send({ type: 'cancel' });
    };
    window.addEventListener('keydown', onEscape, true);
    return () => window.removeEventListener('keydown', onEscape, true);
  }, [machine, origin]);
}
