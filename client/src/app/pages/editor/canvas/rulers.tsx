import { type RefObject, useEffect, useState } from 'react';
import { UNITS } from '../panels/fields/units.ts';
import type { LengthUnit } from '../state/editor-store.ts';
import css from './canvas.module.css';

/** Least distance of two numbers, in CSS pixels. */
const LABEL_GAP_PX = 48;
const STEPS = [1, 2, 5];

/** The round number of units between two labels. */
function labelStep(pxPerUnit: number): number {
  for (let power = -3; power < 5; power++) {
    for (const step of STEPS) {
      const size = step * 10 ** power;
      if (size * pxPerUnit >= LABEL_GAP_PX) return size;
    }
  }
  return 10 ** 5;
}

/** Position of the trim's corner in the view, updated while scrolling. */
function useOrigin(
  area: RefObject<HTMLElement | null>,
  sheet: RefObject<HTMLElement | null>,
  inset: number,
): { x: number; y: number; w: number; h: number } {
  const [origin, setOrigin] = useState({ x: 0, y: 0, w: 0, h: 0 });
  useEffect(() => {
    const [element, card] = [area.current, sheet.current];
    if (!element || !card) return;
    const measure = () => {
      const [view, box] = [element.getBoundingClientRect(), card.getBoundingClientRect()];
      setOrigin({
        x: box.left - view.left + inset,
        y: box.top - view.top + inset,
        w: view.width,
        h: view.height,
      });
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    observer.observe(card);
    element.addEventListener('scroll', measure);
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', measure);
    };
  }, [area, sheet, inset]);
  return origin;
}

function Ruler({
  axis,
  origin,
  length,
  pxPerUnit,
  onPress,
}: {
  axis: 'x' | 'y';
  origin: number;
  length: number;
  pxPerUnit: number;
  onPress: (event: React.PointerEvent) => void;
}) {
  const step = labelStep(pxPerUnit);
  const first = Math.floor(-origin / pxPerUnit / step);
  const last = Math.ceil((length - origin) / pxPerUnit / step);
  const labels = Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => (first + at) * step);
  const decimals = Math.max(0, -Math.floor(Math.log10(step)));
  return (
    <svg
      className={axis === 'x' ? css.rulerX : css.rulerY}
      aria-hidden
      data-ruler={axis}
      onPointerDown={onPress}
    >
      {labels.map((value) => {
        const at = origin + value * pxPerUnit;
        const tenth = (step * pxPerUnit) / 10;
        const ticks = Array.from({ length: 10 }, (_, index) => {
          const place = at + index * tenth;
          const size = index === 0 ? 18 : index === 5 ? 8 : 5;
          return axis === 'x' ? `M${place} ${18 - size}V18` : `M${18 - size} ${place}H18`;
        }).join('');
        return (
          <g key={value}>
            <path d={ticks} />
            {axis === 'x' ? (
              <text x={at + 3} y={8}>
                {value.toFixed(decimals)}
              </text>
            ) : (
              <text x={-at - 3} y={8} transform="rotate(-90)" textAnchor="end">
                {value.toFixed(decimals)}
              </text>
            )}
          </g>
        );
      })}
    </svg>
  );
}

/** Rulers along the view, 0 at the card's cut edge. Dragging out of one makes a guide. */
export function Rulers({
  area,
  sheet,
  scale,
  bleed,
  unit,
  onGuide,
}: {
  area: RefObject<HTMLElement | null>;
  sheet: RefObject<HTMLElement | null>;
  scale: number;
  bleed: number;
  unit: LengthUnit;
  /** A press on a ruler: `axis` is that of the guide's coordinate. */
  onGuide: (event: React.PointerEvent, axis: 'x' | 'y') => void;
}) {
  const { x, y, w, h } = useOrigin(area, sheet, bleed * scale);
  const pxPerUnit = UNITS[unit].toMm(1) * scale;
  return (
    <>
      <Ruler axis="x" origin={x} length={w} pxPerUnit={pxPerUnit} onPress={(event) => onGuide(event, 'y')} />
      <Ruler axis="y" origin={y} length={h} pxPerUnit={pxPerUnit} onPress={(event) => onGuide(event, 'x')} />
      <span className={css.rulerCorner} aria-hidden>
        {unit}
      </span>
    </>
  );
}
