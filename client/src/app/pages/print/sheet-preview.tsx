import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { Layout } from '../../../core/scene/zone.ts';
import type { Card, TableColumn, WithId } from '../../../data/documents.ts';
import type { SheetPlan } from '../../../render/impose.ts';
import { PaintedCard } from '../../painting/painted-card.tsx';
import css from './print.module.css';

/** Widest a page is shown, in CSS pixels. */
const MAX_WIDTH_PX = 640;

/** One sheet as it will come out of the printer. */
export function SheetPreview({
  plan,
  layout,
  cards,
  columns,
}: {
  plan: SheetPlan;
  layout: Layout;
  cards: readonly WithId<Card>[];
  columns: readonly TableColumn[];
}) {
  const area = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(MAX_WIDTH_PX);
  const [wanted, setIndex] = useState(0);
  const index = Math.min(wanted, plan.sheets.length - 1);
  const sheet = plan.sheets[index];
  useEffect(() => {
    const element = area.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setWidth(Math.min(MAX_WIDTH_PX, element.clientWidth)));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const scale = width / plan.w;
  return (
    <figure className={css.figure} ref={area}>
      <figcaption>
        <button
          type="button"
          aria-label="Previous page"
          disabled={index === 0}
          onClick={() => setIndex(index - 1)}
        >
          <ChevronLeft size={18} aria-hidden />
        </button>
        <span aria-live="polite">
          Page {index + 1} of {plan.sheets.length}
        </span>
        <button
          type="button"
          aria-label="Next page"
          disabled={index >= plan.sheets.length - 1}
          onClick={() => setIndex(index + 1)}
        >
          <ChevronRight size={18} aria-hidden />
        </button>
      </figcaption>
      <div className={css.sheet} style={{ width, height: plan.h * scale }}>
        <svg viewBox={`0 0 ${plan.w} ${plan.h}`} aria-hidden="true">
          <title>Crop marks</title>
          {sheet?.marks.map((mark) => (
            <line
              key={`${mark.x1}:${mark.y1}:${mark.x2}:${mark.y2}`}
              x1={mark.x1}
              y1={mark.y1}
              x2={mark.x2}
              y2={mark.y2}
            />
          ))}
        </svg>
        {sheet?.placements.map(({ card, copy, x, y }) => {
          const shown = cards[card];
          return (
            shown && (
              <div
                key={`${shown.id}:${copy}`}
                className={css.placed}
                style={{ left: x * scale, top: y * scale }}
              >
                <PaintedCard
                  layout={layout}
                  cells={shown.cells}
                  columns={columns}
                  square
                  width={layout.size.w * scale}
                  label={`Card ${card + 1}${copy > 0 ? `, copy ${copy + 1}` : ''}`}
                />
              </div>
            )
          );
        })}
      </div>
    </figure>
  );
}
