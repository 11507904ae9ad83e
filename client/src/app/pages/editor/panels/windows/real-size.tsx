import { Button } from '@mantine/core';
import { useState } from 'react';
import { CSS_PX_PER_MM, keepScreenPxPerMm, MAX_OFF, screenPxPerMm } from '../../canvas/screen-scale.ts';
import css from './command-windows.module.css';

/** A bank card, ISO/IEC 7810 ID-1, in millimetres. */
const CARD = { w: 85.6, h: 53.98, radius: 3.18 };
/** Finest step of the slider, in pixels of the card's width. */
const STEP_PX = 0.5;

/** Makes real size real: an outline is brought to the size of a bank card held against the screen. */
export function RealSize({ onDone }: { onDone: () => void }) {
  const [width, setWidth] = useState(() => screenPxPerMm() * CARD.w);
  const scale = width / CARD.w;
  const most = CSS_PX_PER_MM * CARD.w * MAX_OFF;
  return (
    <div className={css.measure}>
      <p>
        Browsers do not know how large a screen is. Hold a bank card, or any card of its size, against the
        outline and move the slider until both are the same.
      </p>
      <div className={css.bench}>
        <div
          className={css.bankCard}
          style={{ width, height: CARD.h * scale, borderRadius: CARD.radius * scale }}
          aria-hidden
        />
      </div>
      <input
        type="range"
        aria-label="Width of the outline"
        aria-valuetext={`${Math.round(width)} pixels`}
        min={most / MAX_OFF ** 2}
        max={most}
        step={STEP_PX}
        value={width}
        onChange={(event) => setWidth(Number(event.currentTarget.value))}
      />
      <div className={css.measureButtons}>
        <Button
          variant="default"
          onClick={() => {
            keepScreenPxPerMm(undefined);
            onDone();
          }}
        >
          As the browser says
        </Button>
        <Button
          onClick={() => {
            keepScreenPxPerMm(scale);
            onDone();
          }}
        >
          Both are the same
        </Button>
      </div>
    </div>
  );
}
