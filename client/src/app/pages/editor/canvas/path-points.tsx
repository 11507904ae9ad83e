import { useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import type { ZoneFrame } from '../../../../core/scene/display/display-list.ts';
import { applyTo, invert, type Point } from '../../../../core/scene/display/matrix.ts';
import { MAX_PATH_POINTS, type PathZone } from '../../../../core/scene/zones/path.ts';
import { ARROW_STEPS } from '../../../../ui/menu/arrow-keys.ts';
import { snapToGrid } from '../geometry/snap.ts';
import type { EditorModel } from '../state/editor-store.ts';
import { changePlaces, editedPath, isPlacedByFlow, MIN_PATH_POINTS } from '../state/edits/path-points.ts';
import { placesOf } from '../state/zones/path-places.ts';
import css from './path-points.module.css';
import { placeStyle } from './zone-box.tsx';

/** Distance of one press of an arrow key, in millimetres; with Shift the fine one. */
const [STEP_MM, FINE_MM] = [1, 0.1];

/** A point that is held. */
interface Held {
  readonly index: number;
  /** All steps of the drag are one undo. */
  readonly key: string;
  moved: boolean;
}

/** The points of the selected path: dragged, moved by arrow keys, added between two others, and deleted. */
function Points({
  model,
  zone,
  frame,
  scale,
  toCard,
}: {
  model: EditorModel;
  zone: PathZone;
  frame: ZoneFrame;
  scale: number;
  toCard: (event: { clientX: number; clientY: number }) => Point;
}) {
  const held = useRef<Held>(undefined);
  const drags = useRef(0);
  const [focused, setFocused] = useState<number>();
  const places = placesOf(zone);
  const buttons = useRef<(HTMLButtonElement | null)[]>([]);

  /** The place under the pointer, in the zone as it is now. */
  const under = (event: React.PointerEvent): Point | undefined => {
    const back = invert(frame.matrix);
    if (!back) return undefined;
    const at = toCard(event);
    const onGrid = model.state.snapping && !event.shiftKey;
    const { x, y } = applyTo(back, onGrid ? { x: snapToGrid(at.x), y: snapToGrid(at.y) } : at);
    return { x: x - frame.box.x, y: y - frame.box.y };
  };
  const hold = (event: React.PointerEvent, index: number) => {
    event.currentTarget.setPointerCapture(event.pointerId);
    held.current = { index, key: `${zone.id}:drag ${drags.current++} of ${index}`, moved: false };
  };
  const move = (event: React.PointerEvent) => {
    const now = held.current;
    const at = now && under(event);
    if (!now || !at) return;
    now.moved = true;
    changePlaces(model, zone.id, (all) => void all.splice(now.index, 1, at), now.key);
  };
  const insert = (after: number, at: Point) =>
    changePlaces(model, zone.id, (all) => void all.splice(after + 1, 0, at));
  const remove = (index: number) => {
    if (places.length > MIN_PATH_POINTS) changePlaces(model, zone.id, (all) => void all.splice(index, 1));
  };
  useEffect(() => {
    const onEscape = (event: KeyboardEvent) => {
      const now = held.current;
      if (event.key !== 'Escape' || !now) return;
      event.stopImmediatePropagation();
      held.current = undefined;
      if (now.moved) model.undo();
    };
    window.addEventListener('keydown', onEscape, true);
    return () => window.removeEventListener('keydown', onEscape, true);
  }, [model]);
  // A point that was added is the one that is at hand.
  useEffect(() => {
    if (focused !== undefined) buttons.current[focused]?.focus({ preventScroll: true });
    setFocused(undefined);
  }, [focused]);

  const onKeyDown = (event: React.KeyboardEvent, index: number) => {
    const arrow = ARROW_STEPS[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (arrow) {
      const by = event.shiftKey ? FINE_MM : STEP_MM;
      changePlaces(model, zone.id, (all) => {
        const { x, y } = all[index] ?? { x: 0, y: 0 };
        all[index] = { x: x + arrow[0] * by, y: y + arrow[1] * by };
      });
    } else if (event.key === 'Delete' || event.key === 'Backspace') remove(index);
    else if (event.key === 'Enter') {
      const [from, to] = [places[index], places[index + 1] ?? places[index - 1]];
      if (!from || !to || places.length >= MAX_PATH_POINTS) return;
      const after = places[index + 1] ? index : index - 1;
      insert(after, { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 });
      setFocused(after + 1);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const style = ({ x, y }: Point) => ({ left: x * scale, top: y * scale });
  const middles = places.slice(1).map((to, at) => {
    const from = places[at] ?? to;
    return { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
  });
  return (
    <div
      className={css.points}
      style={placeStyle(frame, scale)}
      onPointerMove={move}
      onPointerUp={() => {
        held.current = undefined;
      }}
      onPointerCancel={() => {
        held.current = undefined;
      }}
    >
      {places.length < MAX_PATH_POINTS &&
        middles.map((at, index) => (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: a point is its place in the line
            key={`between ${index}`}
            className={css.between}
            style={style(at)}
            aria-hidden
            onPointerDown={(event) => {
              if (event.button !== 0) return;
              event.stopPropagation();
              // The view captures the pointer, since this one goes where there is a point now.
              const overlay = event.currentTarget.parentElement;
              insert(index, at);
              overlay?.setPointerCapture(event.pointerId);
              held.current = { index: index + 1, key: `${zone.id}:drag ${drags.current++}`, moved: false };
            }}
          />
        ))}
      {places.map((at, index) => (
        <button
          // biome-ignore lint/suspicious/noArrayIndexKey: a point is its place in the line
          key={index}
          ref={(element) => {
            buttons.current[index] = element;
          }}
          type="button"
          className={css.point}
          style={style(at)}
          aria-label={`Point ${index + 1} of ${places.length}: arrow keys move it, Enter adds one, Delete removes it`}
          onPointerDown={(event) => {
            if (event.button !== 0) return;
            event.stopPropagation();
            hold(event, index);
          }}
          onDoubleClick={(event) => {
            event.stopPropagation();
            remove(index);
          }}
          onKeyDown={(event) => onKeyDown(event, index)}
        />
      ))}
    </div>
  );
}

/** The points of the selected path, over the card. */
export function PathPoints({
  model,
  frames,
  scale,
  toCard,
}: {
  model: EditorModel;
  frames: readonly ZoneFrame[];
  scale: number;
  toCard: (event: { clientX: number; clientY: number }) => Point;
}) {
  useStore(model.store, (state) => state.scene);
  const selected = useStore(model.store, (state) => state.selected);
  const dragged = useStore(model.store, (state) => selected !== null && selected in state.preview);
  const zone = editedPath(model);
  const painted = zone && frames.find((one) => one.zone === zone.id);
  // Its points follow the zone once it is let go.
  if (!zone || !painted || dragged) return null;
  // The card is painted a moment after the zone has changed.
  const { x, y, w, h } = zone;
  const frame = isPlacedByFlow(model.state.scene, zone.id) ? painted : { ...painted, box: { x, y, w, h } };
  return <Points key={zone.id} model={model} zone={zone} frame={frame} scale={scale} toCard={toCard} />;
}
