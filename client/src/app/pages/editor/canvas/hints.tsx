import { useStore } from 'zustand';
import { lengthText } from '../panels/fields/units.ts';
import type { EditorModel } from '../state/editor-store.ts';
import { boxStyle } from './box-style.ts';
import css from './canvas.module.css';

/** Snap lines, distances to neighbours, the zone that is being drawn and the selection rectangle. */
export function Hints({ model, scale }: { model: EditorModel; scale: number }) {
  const hints = useStore(model.store, (state) => state.hints);
  const brush = useStore(model.store, (state) => state.brush);
  const drawn = useStore(model.store, (state) => state.drawn);
  const unit = useStore(model.store, (state) => state.unit);
  const { size, bleed } = model.state.scene;
  const [low, width, height] = [-bleed * scale, (size.w + 2 * bleed) * scale, (size.h + 2 * bleed) * scale];
  return (
    <>
      {hints.lines.map(({ axis, at }) => (
        <div
          key={axis}
          className={css.snapLine}
          aria-hidden
          style={
            axis === 'x'
              ? { left: at * scale, top: low, height, width: 1 }
              : { top: at * scale, left: low, width, height: 1 }
          }
        />
      ))}
      {hints.distances.map(({ axis, from, to, across }) => (
        <div
          key={`${axis}${from}`}
          className={css.distance}
          data-axis={axis}
          aria-hidden
          style={
            axis === 'x'
              ? { left: from * scale, top: across * scale, width: (to - from) * scale }
              : { top: from * scale, left: across * scale, height: (to - from) * scale }
          }
        >
          <span>{lengthText(to - from, unit)}</span>
        </div>
      ))}
      {drawn && (
        <div className={css.drawn} data-drawn aria-hidden style={boxStyle(drawn, scale)}>
          <span>
            {lengthText(drawn.w, unit)} × {lengthText(drawn.h, unit)}
          </span>
        </div>
      )}
      {brush && <div className={css.brush} data-brush aria-hidden style={boxStyle(brush, scale)} />}
    </>
  );
}
