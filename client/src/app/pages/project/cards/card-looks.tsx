import { useRef, useState } from 'react';
import { resolve } from '../../../../core/scene/card/resolve.ts';
import type { Column } from '../../../../core/scene/card/row.ts';
import type { ZoneFrame } from '../../../../core/scene/display/display-list.ts';
import { hitTest } from '../../../../core/scene/display/hit-test.ts';
import { applyTo } from '../../../../core/scene/display/matrix.ts';
import type { Layout } from '../../../../core/scene/layout.ts';
import { isParent, type Zone } from '../../../../core/scene/zones.ts';
import { ARROW_STEPS } from '../../../../ui/menu/arrow-keys.ts';
import { useRenderedCard } from '../../../painting/use-rendered-card.ts';
import { toParent } from '../../editor/canvas/handle-context.ts';
import { ZoneBox } from '../../editor/canvas/zone-box.tsx';
import { BIG_NUDGE_MM, NUDGE_MM } from '../../editor/commands/arrange.ts';
import type { TurnedBox } from '../../editor/geometry/resize.ts';
import { roundMm, snapMove, snapToGrid } from '../../editor/geometry/snap.ts';
import { idle } from '../../editor/handles/idle.ts';
import { type HandleContext, HandleMachine, type PointerTarget } from '../../editor/handles/machine.ts';
import css from './card-looks.module.css';
import type { Looks } from './use-looks.ts';

/** A zone and whether its place is its own: a flex container places its children itself. */
interface Found {
  readonly zone: Zone;
  readonly placed: boolean;
}

function find(zones: readonly Zone[], id: string, placed = true): Found | undefined {
  for (const zone of zones) {
    if (zone.id === id) return { zone, placed: placed || zone.flex.absolute };
    if (!isParent(zone)) continue;
    const found = find(zone.children, id, zone.kind === 'container' && zone.arrange === 'free');
    if (found) return found;
  }
  return undefined;
}

interface CardLooksProps {
  readonly layout: Layout;
  readonly cells: Readonly<Record<string, string>>;
  readonly columns: readonly Column[];
  /** In CSS pixels. */
  readonly width: number;
  readonly label: string;
  /** Id of the zone whose looks are edited; empty for none yet. */
  readonly chosen: string;
  readonly onChoose: (zone: string) => void;
  readonly looks: Looks;
}

/** The layout editor's handles on the zones of one card: what they change becomes looks of that card. */
function useZonesInHand({
  layout,
  cells,
  columns,
  frames,
  chosen,
  onChoose,
  looks,
}: Pick<CardLooksProps, 'layout' | 'cells' | 'columns' | 'chosen' | 'onChoose' | 'looks'> & {
  frames: readonly ZoneFrame[];
}) {
  /** A zone as it is on this card, whatever is in the middle of being dragged. */
  const boxOf = (id: string): TurnedBox | undefined => {
    const found = find(layout.zones, id);
    if (!found) return undefined;
    const { x, y, w, h, rotation } = resolve(found.zone, { cells }, columns).zone;
    return { x, y, w, h, rotation };
  };
  const started = useRef<{ readonly id: string; readonly box: TurnedBox; readonly text: string }>(undefined);
  const show = (id: string, next: TurnedBox) => {
    const found = find(layout.zones, id);
    const box = started.current?.id === id ? started.current.box : boxOf(id);
    if (!found || !box) return;
    started.current ??= { id, box, text: looks.text(found.zone.name) };
    const sides = (
      found.placed ? ['x', 'y', 'w', 'h', 'rotation'] : ['w', 'h', 'rotation']
    ) as (keyof TurnedBox)[];
    const changes = sides
      .filter((side) => Math.abs(next[side] - box[side]) > 0.0005)
      .map((side) => [side, String(roundMm(next[side]))] as const);
    // A drag that returns to its start restores the old state.
    looks.restore(found.zone.name, started.current.text);
    if (changes.length > 0) looks.set(found.zone.name, changes);
  };
  const latest = useRef({ boxOf, show, frames, chosen, onChoose, looks });
  latest.current = { boxOf, show, frames, chosen, onChoose, looks };
  const [machine] = useState(() => {
    const own = latest;
    const context: HandleContext = {
      box: (id) => own.current.boxOf(id),
      cardBox: (id) => own.current.frames.find(({ zone }) => zone === id)?.box,
      isLocked: () => false,
      movable: () => (own.current.chosen === '' ? [] : [own.current.chosen]),
      isSelected: (id) => own.current.chosen === id,
      inParent(id, vector) {
        const [a, b, c, d] = toParent(own.current.frames, id);
        return applyTo([a, b, c, d, 0, 0], vector);
      },
      pointInParent: (id, point) => applyTo(toParent(own.current.frames, id), point),
      snapping: () => true,
      snapBox: (box) => snapMove(box),
      snapEdge: (_id, _axis, value) => snapToGrid(value),
      select: (id) => id !== null && own.current.onChoose(id),
      toggle: (id) => own.current.onChoose(id),
      brush: () => {},
      selection: () => [own.current.chosen],
      show(boxes) {
        for (const [id, box] of Object.entries(boxes)) own.current.show(id, box);
      },
      commit() {
        started.current = undefined;
      },
      discard() {
        const drag = started.current;
        const found = drag && find(layout.zones, drag.id);
        if (drag && found) own.current.looks.restore(found.zone.name, drag.text);
        started.current = undefined;
      },
    };
    return new HandleMachine(context, idle);
  });
  /** One step by the keyboard, which is no part of a drag. */
  const nudge = (id: string, box: TurnedBox) => {
    started.current = undefined;
    show(id, box);
    started.current = undefined;
  };
  return { machine, boxOf, nudge };
}

/**
 * One card, painted, on which zones are taken hold of: what is dragged, turned and resized here is so
 * on this card alone. Uses the hands of the layout editor.
 */
export default function CardLooks({
  layout,
  cells,
  columns,
  width,
  label,
  chosen,
  onChoose,
  looks,
}: CardLooksProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const trim = useRef<HTMLDivElement>(null);
  const area = useRef<HTMLDivElement>(null);
  const origin = useRef<{ x: number; y: number }>(undefined);
  const over = useRef<string>(undefined);
  const scale = width / layout.size.w;
  const { list, error } = useRenderedCard(canvas, layout, { cells }, columns, scale);
  const frames = list?.zones.filter(({ kind, id, zone }) => kind !== 'base' && id === zone) ?? [];

  const { machine, boxOf, nudge } = useZonesInHand({
    layout,
    cells,
    columns,
    frames,
    chosen,
    onChoose,
    looks,
  });
  const at = (event: React.PointerEvent) => {
    const box = trim.current?.getBoundingClientRect() ?? { left: 0, top: 0 };
    return { x: (event.clientX - box.left) / scale, y: (event.clientY - box.top) / scale };
  };
  const press = (event: React.PointerEvent, target: PointerTarget) => {
    if (event.button !== 0) return;
    event.stopPropagation();
    origin.current = { x: event.clientX, y: event.clientY };
    area.current?.setPointerCapture(event.pointerId);
    const hit = list && hitTest(list, at(event))?.zone;
    // The chosen zone is dragged wherever it lies; a mere click takes what lies over it.
    over.current = target.kind === 'zone' && target.id === chosen && hit !== chosen ? hit : undefined;
    machine.send({ type: 'down', at: at(event), target });
  };
  const end = (type: 'up' | 'cancel') => {
    if (type === 'up' && machine.state === 'pointing-zone' && over.current) onChoose(over.current);
    over.current = undefined;
    origin.current = undefined;
    machine.send({ type });
  };
  const onKeyDown = (event: React.KeyboardEvent) => {
    const arrow = ARROW_STEPS[event.key];
    const box = boxOf(chosen);
    if (!arrow || !box || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const step = event.shiftKey ? BIG_NUDGE_MM : NUDGE_MM;
    nudge(chosen, { ...box, x: box.x + arrow[0] * step, y: box.y + arrow[1] * step });
  };
  const { bleed, size } = layout;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the boxes inside are what has the keyboard
    <div
      ref={area}
      className={css.area}
      style={{ width, height: size.h * scale }}
      onKeyDown={onKeyDown}
      onPointerMove={(event) => {
        const from = origin.current;
        if (!from) return;
        const travelled = Math.hypot(event.clientX - from.x, event.clientY - from.y);
        machine.send({ type: 'move', at: at(event), travelled, shift: event.shiftKey });
      }}
      onPointerUp={() => end('up')}
      onPointerCancel={() => end('cancel')}
    >
      <div
        ref={trim}
        className={css.trim}
        style={{ borderRadius: size.shape === 'circle' ? '50%' : size.radius * scale }}
      >
        <canvas
          ref={canvas}
          role="img"
          aria-label={label}
          style={{
            inset: -bleed * scale,
            width: (size.w + 2 * bleed) * scale,
            height: (size.h + 2 * bleed) * scale,
          }}
        />
      </div>
      <div className={css.overlay}>
        {frames.map((frame) => (
          <ZoneBox
            key={frame.id}
            frame={frame}
            scale={scale}
            selected={frame.zone === chosen}
            alone={frame.zone === chosen}
            onPress={press}
            onSelect={onChoose}
          />
        ))}
      </div>
      {error && <p className={css.failed}>This card could not be painted.</p>}
    </div>
  );
}
