import { useSyncExternalStore } from 'react';
import type { NamedThings } from './carry-out.ts';

/** Kind of the data of a drag of images or layouts: what it drags is known to this window alone. */
const DRAG_TYPE = 'application/x-tuckbox-things';

let dragged: NamedThings | undefined;
const observers = new Set<() => void>();

function setDragged(things: NamedThings | undefined): void {
  dragged = things;
  for (const observer of [...observers]) observer();
}

/** The things that the pointer drags now. */
export function useDragged(): NamedThings | undefined {
  return useSyncExternalStore(
    (observer) => {
      observers.add(observer);
      return () => void observers.delete(observer);
    },
    () => dragged,
  );
}

/**
 * Begins a drag of things.
 * @param picture the element that the pointer drags a picture of
 */
export function beginDrag(event: React.DragEvent, things: NamedThings, picture: Element): void {
  const { dataTransfer } = event;
  // A link or a picture inside would be dragged as an address.
  dataTransfer.clearData();
  dataTransfer.setData(DRAG_TYPE, '');
  dataTransfer.effectAllowed = things.mayMove ? 'copyMove' : 'copy';
  const box = picture.getBoundingClientRect();
  dataTransfer.setDragImage(picture, event.clientX - box.left, event.clientY - box.top);
  const over = new AbortController();
  const end = () => {
    over.abort();
    setDragged(undefined);
  };
  // A tile that is scrolled away hears of no end; the pointer moves by itself only after it.
  for (const type of ['dragend', 'pointermove'] as const)
    document.addEventListener(type, end, { signal: over.signal });
  // Browsers give up a drag when the page changes below it in the same moment.
  setTimeout(() => {
    if (!over.signal.aborted) setDragged(things);
  });
}

/** True for a drag of things. */
export const dragsThings = (event: React.DragEvent): boolean =>
  dragged !== undefined && event.dataTransfer.types.includes(DRAG_TYPE);
