import type { FocusPoint } from '../../core/images/library.ts';
import type { StoredImage } from '../../data/images/library-store.ts';
import { thumbnailUrl } from '../../data/images/schema.ts';
import { ARROW_STEPS } from '../../ui/menu/arrow-keys.ts';
import css from './framing.module.css';

const STEP = 0.05;
const clamp = (value: number): number => Math.min(1, Math.max(0, Math.round(value * 1_000) / 1_000));

/** The image, with the point that stays in view when a box cuts it. A click or the arrow keys move it. */
export function FocusPicker({
  image,
  disabled = false,
  onChange,
}: {
  image: StoredImage;
  disabled?: boolean;
  onChange: (focus: FocusPoint | null) => void;
}) {
  const { x, y } = image.focus ?? { x: 0.5, y: 0.5 };
  return (
    <div className={css.focus}>
      <button
        type="button"
        disabled={disabled}
        className={css.frame}
        aria-label={`Focus point: ${Math.round(x * 100)} % across, ${Math.round(y * 100)} % down.${disabled ? '' : ' Arrow keys move it.'}`}
        onClick={(event) => {
          // The keyboard's click has no place.
          if (event.detail === 0) return;
          const box = event.currentTarget.querySelector('img')?.getBoundingClientRect();
          if (!box || box.width === 0 || box.height === 0) return;
          onChange({
            x: clamp((event.clientX - box.left) / box.width),
            y: clamp((event.clientY - box.top) / box.height),
          });
        }}
        onKeyDown={(event) => {
          const move = ARROW_STEPS[event.key];
          if (!move) return;
          event.preventDefault();
          onChange({ x: clamp(x + STEP * move[0]), y: clamp(y + STEP * move[1]) });
        }}
      >
        <span className={css.picture}>
          <img src={thumbnailUrl(image.url, 512)} alt="" draggable={false} />
          <span className={css.point} style={{ left: `${x * 100}%`, top: `${y * 100}%` }} />
        </span>
      </button>
      {!disabled && (
        <p className={css.hint}>
          Click where the eye should be: it stays in view when a box cuts the picture.
          {image.focus && (
            <button type="button" onClick={() => onChange(null)}>
              Back to the middle
            </button>
          )}
        </p>
      )}
    </div>
  );
}
