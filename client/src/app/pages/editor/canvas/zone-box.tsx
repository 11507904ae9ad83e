import type { ZoneFrame } from '../../../../core/scene/display-list.ts';
import { HANDLES, type Handle } from '../geometry/resize.ts';
import type { PointerTarget } from '../handles/machine.ts';
import css from './canvas.module.css';

/** Boxes smaller than this leave out the handles in the middle of their sides, in CSS pixels. */
const ROOM_FOR_EDGES_PX = 40;

const isEdge = (handle: Handle) => handle.length === 1;

/** A zone's box over the painted card: seen when hovered or selected, always there for keyboard and pointer. */
export function ZoneBox({
  frame,
  scale,
  selected,
  onPress,
  onSelect,
}: {
  frame: ZoneFrame;
  scale: number;
  selected: boolean;
  onPress: (event: React.PointerEvent, target: PointerTarget) => void;
  onSelect: (id: string) => void;
}) {
  const [a, b, c, d, e, f] = frame.matrix;
  const width = frame.box.w * scale;
  const height = frame.box.h * scale;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a button cannot hold handles
    <div
      role="button"
      tabIndex={0}
      aria-label={frame.name}
      aria-pressed={selected}
      data-zone-id={frame.id}
      data-kind={frame.kind}
      className={css.zone}
      style={{
        width,
        height,
        transform: `matrix(${a}, ${b}, ${c}, ${d}, ${e * scale}, ${f * scale}) translate(${frame.box.x * scale}px, ${frame.box.y * scale}px)`,
      }}
      onPointerDown={(event) => onPress(event, { kind: 'zone', id: frame.id })}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' && event.key !== ' ') return;
        event.preventDefault();
        onSelect(frame.id);
      }}
      onFocus={(event) => {
        if (event.target.matches(':focus-visible')) onSelect(frame.id);
      }}
    >
      {selected && (
        <>
          <span className={css.stem} aria-hidden />
          <span
            className={css.rotate}
            data-handle="rotate"
            aria-hidden
            onPointerDown={(event) => onPress(event, { kind: 'rotate', id: frame.id })}
          />
          {HANDLES.filter(
            (handle) => !isEdge(handle) || (width > ROOM_FOR_EDGES_PX && height > ROOM_FOR_EDGES_PX / 2),
          ).map((handle) => (
            <span
              key={handle}
              className={css.handle}
              data-handle={handle}
              aria-hidden
              onPointerDown={(event) => onPress(event, { kind: 'handle', id: frame.id, handle })}
            />
          ))}
        </>
      )}
    </div>
  );
}
