import { memo } from 'react';
import type { ZoneFrame } from '../../../../core/scene/display-list.ts';
import { HANDLES, type Handle } from '../geometry/resize.ts';
import type { PointerTarget } from '../handles/machine.ts';
import css from './canvas.module.css';

/** Boxes smaller than this leave out the handles in the middle of their sides, in CSS pixels. */
const ROOM_FOR_EDGES_PX = 40;

const isEdge = (handle: Handle) => handle.length === 1;

/** Where a frame lies over the card, as CSS. */
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

/** A zone's box over the painted card: seen when hovered or selected, always there for keyboard and pointer. */
export const ZoneBox = memo(function ZoneBox({
  frame,
  scale,
  selected,
  alone,
  onPress,
  onSelect,
}: {
  frame: ZoneFrame;
  scale: number;
  selected: boolean;
  /** The only one selected: it has the handles. */
  alone: boolean;
  onPress: (event: React.PointerEvent, target: PointerTarget) => void;
  onSelect: (id: string) => void;
}) {
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
      {alone && (
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
});
