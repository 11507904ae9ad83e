import { useMemo } from 'react';
import type { Layout } from '../../../core/scene/layout.ts';
import { sampleCells } from '../../../data/layouts/sample-row.ts';
import { PaintedCard } from '../../painting/painted-card.tsx';

/** Longer side of a layout's picture, in CSS pixels. */
const THUMBNAIL_PX = 220;
const NO_COLUMNS: readonly never[] = [];

/** A layout as a small card; each text that shows a column shows the column's name. */
export function LayoutThumbnail({
  layout,
  size = THUMBNAIL_PX,
  cells,
}: {
  layout: Layout;
  /** Longer side in CSS pixels. */
  size?: number;
  /** A real card's cells. */
  cells?: Readonly<Record<string, string>> | undefined;
}) {
  const { w, h } = layout.size;
  const names = useMemo(() => sampleCells(layout), [layout]);
  return (
    <PaintedCard
      layout={layout}
      cells={cells ?? names}
      columns={NO_COLUMNS}
      width={Math.round((size * w) / Math.max(w, h))}
      label=""
    />
  );
}

/** `63.5 × 88.9 mm` */
export const sizeOf = ({ size }: Layout): string => `${size.w} × ${size.h} mm`;
