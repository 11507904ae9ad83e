import { memo } from 'react';
import type { ZoneFrame } from '../../../../core/scene/display/display-list.ts';
import { HANDLES, type Handle } from '../geometry/resize.ts';
import type { PointerTarget } from '../handles/machine.ts';
import css from './canvas.module.css';

/** Boxes smaller than this leave out the handles in the middle of their sides, in CSS pixels. */
const ROOM_FOR_EDGES_PX = 40;

const isEdge = (handle: Handle) => handle.length === 1;

/** CSS position of a frame over the card. */
export function placeStyle({ matrix, box }: ZoneFrame, scale: number): React.CSSProperties {
  const [a, b, c, d, e, f] = matrix;
  return {
    width: box.w * scale,
    height: box.h * scale,
    transform: `matrix(${a}, ${b}, ${c}, ${d}, ${e * scale}, ${f * scale}) translate(${box.x * scale}px, ${box.y * scale}px)`,
  };
}

/** The eight handles of a box; those in the middle of its sides only where there is room. */
export function Handles({
  width,
  height,
  onPress,
}: {
  width: number;
  height: number;
  onPress: (event: React.PointerEvent, handle: Handle) => void;
}) {
  return HANDLES.filter(
    (handle) => !isEdge(handle) || (width > ROOM_FOR_EDGES_PX && height > ROOM_FOR_EDGES_PX / 2),
  ).map((handle) => (
    <span
      key={handle}
      className={css.handle}
      data-handle={handle}
      aria-hidden
      onPointerDown={(event) => onPress(event, handle)}
    />
  ));
}

interface ZoneBoxProps {
  readonly frame: ZoneFrame;
  readonly scale: number;
  readonly selected: boolean;
  /** The only one selected: it has the handles. */
  readonly alone: boolean;
  /** The pointer goes through it, to what lies under it. */
  readonly locked?: boolean;
  readonly onPress: (event: React.PointerEvent, target: PointerTarget) => void;
  readonly onSelect: (id: string) => void;
}

/** Frames are made anew by every layout; a box whose place is the same need not be drawn again. */
function looksAlike(a: ZoneBoxProps, b: ZoneBoxProps): boolean {
  return (
    a.scale === b.scale &&
    a.selected === b.selected &&
    a.alone === b.alone &&
    a.locked === b.locked &&
    a.onPress === b.onPress &&
    a.onSelect === b.onSelect &&
    sameFrame(a.frame, b.frame)
  );
}

function sameFrame(a: ZoneFrame, b: ZoneFrame): boolean {
  return (
    a === b ||
    (a.zone === b.zone &&
      a.name === b.name &&
      a.kind === b.kind &&
      a.blank === b.blank &&
      a.box.x === b.box.x &&
      a.box.y === b.box.y &&
      a.box.w === b.box.w &&
      a.box.h === b.box.h &&
      a.matrix.every((value, at) => value === b.matrix[at]))
  );
}

/** A zone's box over the painted card: seen when hovered or selected, always there for keyboard and pointer. */
export const ZoneBox = memo(function ZoneBox({
  frame,
  scale,
  selected,
  alone,
  locked = false,
  onPress,
  onSelect,
}: ZoneBoxProps) {
  const id = frame.zone;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a button cannot hold handles
    <div
      role="button"
      tabIndex={0}
      aria-label={frame.name}
      aria-pressed={selected}
      data-zone-id={id}
      data-kind={frame.kind}
      data-locked={locked || undefined}
      data-blank={frame.blank}
      className={css.zone}
      style={placeStyle(frame, scale)}
      onPointerDown={(event) => onPress(event, { kind: 'zone', id })}
      onKeyDown={(event) => {
        // Enter on the selected zone is the editor's: it writes in a text.
        if (selected || (event.key !== 'Enter' && event.key !== ' ')) return;
        event.preventDefault();
        event.stopPropagation();
        onSelect(id);
      }}
      onFocus={(event) => {
        if (event.target.matches(':focus-visible')) onSelect(id);
      }}
    >
      {alone && !locked && (
        <>
          <span className={css.stem} aria-hidden />
          <span
            className={css.rotate}
            data-handle="rotate"
            aria-hidden
            onPointerDown={(event) => onPress(event, { kind: 'rotate', id })}
          />
          <Handles
            width={frame.box.w * scale}
            height={frame.box.h * scale}
            onPress={(event, handle) => onPress(event, { kind: 'handle', id, handle })}
          />
        </>
      )}
    </div>
  );
}, looksAlike);
