import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { nameOf } from '../../core/images/path.ts';
import { thumbnailUrl } from '../../data/images/schema.ts';
import { visibleRows } from '../pages/project/cards/grid-window.ts';
import css from './image-grid.module.css';

const GAP_PX = 10;
const CAPTION_PX = 40;
/** Room around the picture in its tile. */
const FRAME_PX = 12;
/** Narrower than this, a name cannot be read. */
const MIN_TILE_PX = 92;
/** Sharper than this is not seen. */
const MAX_DEVICE_RATIO = 2;

interface Shape {
  readonly perRow: number;
  readonly rows: number;
  readonly tileWidth: number;
  readonly rowHeight: number;
  readonly gap: number;
  readonly height: number;
}

function shapeOf(width: number, size: number, count: number): Shape {
  const least = Math.max(MIN_TILE_PX, size + FRAME_PX);
  const perRow = Math.max(1, Math.floor((width + GAP_PX) / (least + GAP_PX)));
  const tileWidth = Math.floor((width - GAP_PX * (perRow - 1)) / perRow);
  const rowHeight = size + FRAME_PX + CAPTION_PX + GAP_PX;
  const rows = Math.ceil(count / perRow);
  return { perRow, rows, tileWidth, rowHeight, gap: GAP_PX, height: Math.max(rowHeight, rows * rowHeight) };
}

/** Number of places a key moves the focus. */
function step(key: string, index: number, count: number, perRow: number): number | undefined {
  switch (key) {
    case 'ArrowRight':
      return Math.min(count - 1, index + 1);
    case 'ArrowLeft':
      return Math.max(0, index - 1);
    case 'ArrowDown':
      return Math.min(count - 1, index + perRow);
    case 'ArrowUp':
      return Math.max(0, index - perRow);
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return undefined;
  }
}

/** An image as the list shows it. */
interface GridImage {
  readonly id: string;
  readonly path: string;
  readonly url: string;
}

/**
 * Images as a list of pictures to choose from, by pointer or keyboard: arrows move, Space chooses one more,
 * Shift extends, Ctrl+A takes all, Enter opens. Only what is in view exists in the page.
 */
export function ImageGrid<T extends GridImage>({
  images,
  size,
  label,
  selected,
  multiple = true,
  onSelect,
  onOpen,
  onDrag,
  onKey,
}: {
  images: readonly T[];
  /** Longer edge of a picture, in CSS pixels. */
  size: number;
  label: string;
  selected: ReadonlySet<string>;
  multiple?: boolean;
  onSelect: (ids: ReadonlySet<string>) => void;
  onOpen: (image: T) => void;
  /** The pointer begins to drag a picture; none can be dragged without. */
  onDrag?: (event: React.DragEvent, image: T) => void;
  /** Other keys, such as Delete. */
  onKey?: (key: string) => void;
}) {
  const list = useRef<HTMLDivElement>(null);
  const [shape, setShape] = useState<Shape>();
  const [rows, setRows] = useState<readonly [number, number]>([0, 0]);
  const [focus, setFocus] = useState(0);
  const anchor = useRef(0);
  const moved = useRef(false);
  const at = Math.min(focus, Math.max(0, images.length - 1));

  useLayoutEffect(() => {
    const element = list.current;
    if (!element) return;
    const measure = () => {
      const next = shapeOf(element.clientWidth, size, images.length);
      setShape((old) => (old && JSON.stringify(old) === JSON.stringify(next) ? old : next));
      const [first, last] = visibleRows(next, -element.getBoundingClientRect().top, window.innerHeight);
      setRows((old) => (old[0] === first && old[1] === last ? old : [first, last]));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    // Whatever scrolls around the list: the page, or a dialog.
    document.addEventListener('scroll', measure, { passive: true, capture: true });
    window.addEventListener('resize', measure);
    return () => {
      observer.disconnect();
      document.removeEventListener('scroll', measure, { capture: true });
      window.removeEventListener('resize', measure);
    };
  }, [size, images.length]);

  // The focus goes along once the row it moved to is there.
  useEffect(() => {
    if (!moved.current) return;
    moved.current = false;
    list.current?.querySelector<HTMLElement>(`[data-index="${at}"]`)?.focus();
  });

  const range = (from: number, to: number) =>
    new Set(images.slice(Math.min(from, to), Math.max(from, to) + 1).map(({ id }) => id));

  const choose = (index: number, how: { readonly extend: boolean; readonly add: boolean }) => {
    const image = images[index];
    if (!image) return;
    setFocus(index);
    if (multiple && how.extend) {
      onSelect(range(anchor.current, index));
      return;
    }
    anchor.current = index;
    if (!multiple || !how.add) {
      onSelect(new Set([image.id]));
      return;
    }
    const next = new Set(selected);
    if (!next.delete(image.id)) next.add(image.id);
    onSelect(next);
  };

  const onKeyDown = (event: React.KeyboardEvent) => {
    const to = step(event.key, at, images.length, shape?.perRow ?? 1);
    if (to !== undefined) {
      event.preventDefault();
      moved.current = true;
      if (multiple && (event.ctrlKey || event.metaKey)) setFocus(to);
      else choose(to, { extend: event.shiftKey, add: false });
      list.current
        ?.querySelector(`[data-index="${to}"]`)
        ?.scrollIntoView({ block: 'nearest', behavior: 'instant' });
    } else if (event.key === ' ') {
      event.preventDefault();
      choose(at, { extend: event.shiftKey, add: true });
    } else if (event.key === 'Enter') {
      event.preventDefault();
      const image = images[at];
      if (image) onOpen(image);
    } else if (multiple && event.key.toLowerCase() === 'a' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      onSelect(new Set(images.map(({ id }) => id)));
    } else onKey?.(event.key);
  };

  const from = shape ? rows[0] * shape.perRow : 0;
  const to = shape ? (rows[1] + 1) * shape.perRow : 0;
  // The tile that holds the focus exists even when it is scrolled away.
  const shown = [...images.keys()].slice(from, to);
  if (shape && images.length > 0 && !shown.includes(at)) shown.push(at);
  return (
    <div
      ref={list}
      role="listbox"
      aria-multiselectable={multiple}
      aria-label={label}
      className={css.grid}
      style={{ height: shape?.height ?? 200 }}
      tabIndex={-1}
      onKeyDown={onKeyDown}
    >
      {shape &&
        shown.map((index) => {
          const image = images[index];
          if (!image) return null;
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the list handles the keys of all its options
            <div
              key={image.id}
              role="option"
              aria-selected={selected.has(image.id)}
              aria-setsize={images.length}
              aria-posinset={index + 1}
              aria-label={image.path}
              title={image.path}
              data-index={index}
              tabIndex={index === at ? 0 : -1}
              className={css.tile}
              style={{
                width: shape.tileWidth,
                height: shape.rowHeight - GAP_PX,
                transform: `translate(${(index % shape.perRow) * (shape.tileWidth + GAP_PX)}px, ${
                  Math.floor(index / shape.perRow) * shape.rowHeight
                }px)`,
              }}
              onClick={(event) =>
                choose(index, { extend: event.shiftKey, add: event.ctrlKey || event.metaKey })
              }
              onDoubleClick={() => onOpen(image)}
              {...(onDrag && { draggable: true, onDragStart: (event) => onDrag(event, image) })}
            >
              <Thumbnail image={image} size={size} />
              <span className={css.name}>{nameOf(image.path)}</span>
            </div>
          );
        })}
    </div>
  );
}

/** A picture of an image, made by the server in about the size it is shown in. */
export function Thumbnail({ image, size }: { image: Pick<GridImage, 'url'>; size: number }) {
  const [broken, setBroken] = useState(false);
  const ratio = Math.min(MAX_DEVICE_RATIO, window.devicePixelRatio || 1);
  return (
    <span className={css.picture} style={{ height: size }}>
      {broken ? (
        <span className={css.broken}>No preview</span>
      ) : (
        <img
          src={thumbnailUrl(image.url, size * ratio)}
          alt=""
          loading="lazy"
          decoding="async"
          draggable={false}
          style={{ maxWidth: size, maxHeight: size }}
          onError={() => setBroken(true)}
        />
      )}
    </span>
  );
}
