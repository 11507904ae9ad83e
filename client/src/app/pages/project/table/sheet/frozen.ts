import { type RefObject, useEffect, useMemo, useState } from 'react';

/** Most of the table's width that columns kept in view may take, as a share: the others need room to scroll in. */
const MAX_SHARE = 0.6;

/** Width of what the table is shown in, in CSS pixels. */
export function useRoom(box: RefObject<HTMLElement | null>): number {
  const [room, setRoom] = useState(Number.POSITIVE_INFINITY);
  useEffect(() => {
    if (!box.current) return;
    const observer = new ResizeObserver(([entry]) => {
      if (entry) setRoom(Math.round(entry.contentRect.width));
    });
    observer.observe(box.current);
    return () => observer.disconnect();
  }, [box]);
  return room;
}

/** Number of leading columns that stay in view: those marked as frozen, as far as there is room. */
export function frozenCount(
  columns: readonly { readonly frozen: boolean; readonly width: number }[],
  gutter: number,
  room: number,
): number {
  let right = gutter;
  let count = 0;
  for (const { frozen, width } of columns) {
    right += width;
    if (!frozen || right > room * MAX_SHARE) break;
    count++;
  }
  return count;
}

interface Corner {
  readonly row: number;
  readonly col: number;
}

/** Grid options of a frozen column; see `build/frozen-columns.mjs`. */
export function frozenColumn(last: boolean) {
  const look = last ? 'sheet-frozen sheet-frozen-last' : 'sheet-frozen';
  return {
    frozen: true,
    headerClassName: look,
    cellClassName: ({
      selection,
      columnIndex = -1,
      rowIndex,
    }: {
      selection?: { readonly min: Corner; readonly max: Corner } | null;
      columnIndex?: number;
      rowIndex: number;
    }): string => {
      const chosen =
        selection &&
        selection.min.col <= columnIndex &&
        selection.max.col >= columnIndex &&
        selection.min.row <= rowIndex &&
        selection.max.row >= rowIndex;
      return chosen ? `${look} sheet-frozen-chosen` : look;
    },
  };
}

/** Lets style sheets know how far the table is scrolled, and whether its cursor is where nothing scrolls. */
export function useFrozenMarks(box: RefObject<HTMLElement | null>, frozen: number) {
  const marks = useMemo(() => {
    let active: number | undefined;
    let chosen: number | undefined;
    let count = 0;
    let left = 0;
    const show = () => {
      const element = box.current;
      if (!element) return;
      const within = (column: number | undefined) => column !== undefined && column < count;
      element.toggleAttribute('data-active-frozen', within(active));
      element.toggleAttribute('data-chosen-frozen', within(chosen ?? active));
      element.style.setProperty('--sheet-scrolled', `${count > 0 ? left : 0}px`);
    };
    return {
      count(next: number) {
        count = next;
        show();
      },
      active(column: number | undefined) {
        active = column;
        show();
      },
      selection(column: number | undefined) {
        chosen = column;
        show();
      },
      scrolled({ scrollLeft }: HTMLElement) {
        if (scrollLeft === left) return;
        left = scrollLeft;
        show();
      },
    };
  }, [box]);
  useEffect(() => marks.count(frozen), [marks, frozen]);
  return marks;
}
