import { useEffect, useMemo, useRef, useState } from 'react';
import type { Handle, Shown } from '../../../../core/play/protocol/messages.ts';
import { pieceName, pieceState } from '../../../../core/play/view/names.ts';
import { heldUp } from '../../../../core/play/view/shown-side.ts';
import type { TableView } from '../../../../core/play/view/view.ts';
import { sideOf } from '../../../../render/play/table-painter.ts';
import { PaintedCard } from '../../../painting/painted-card.tsx';
import { DRAG_FROM_PX } from '../gestures/gestures.ts';
import { LongPress } from '../gestures/long-press.ts';
import css from '../play.module.css';

/** Height of a card in the tray, and its greatest width, in CSS pixels. */
const [TRAY_PX, WIDEST_PX] = [132, 190];
const NO_COLUMNS: readonly never[] = [];

/** A piece in a tray, painted by the page. */
function PaintedPiece({ view, shown, height }: { view: TableView; shown: Shown; height: number }) {
  const { drawn, text, size } = sideOf(view, heldUp(shown));
  const aspect = size ? size.w / size.h : 0.714;
  const width = Math.min(WIDEST_PX, Math.round(height * aspect));
  const layout = drawn && view.common.layouts[drawn.look.layout];
  if (!drawn || !layout) {
    return (
      <span className={css.plainPiece} style={{ width, height: Math.round(width / aspect) }}>
        {text}
      </span>
    );
  }
  return (
    <PaintedCard
      layout={layout}
      cells={drawn.look.cells}
      words={drawn.look.words}
      rest={drawn.look}
      columns={view.common.tables[drawn.look.table] ?? NO_COLUMNS}
      width={width}
      label=""
    />
  );
}

/** Cards in a row: the own hand, or a pile that is looked through. */
export function Tray({
  view,
  label,
  pieces,
  selected,
  empty,
  hand,
  onSelect,
  onPlay,
  onMenu,
  onDropAt,
  onReorder,
  children,
}: {
  view: TableView;
  label: string;
  pieces: readonly Handle[];
  selected: readonly Handle[];
  /** Said where nothing is in it. */
  empty: string;
  /** True for the own hand: what is dropped on it comes into it. */
  hand: boolean;
  onSelect: (handles: readonly Handle[]) => void;
  onPlay: (handle: Handle) => void;
  onMenu: (handle: Handle, x: number, y: number) => void;
  /** Pieces were let go elsewhere in the window. */
  onDropAt: (handles: readonly Handle[], x: number, y: number) => void;
  onReorder: (handle: Handle, at: number) => void;
  children?: React.ReactNode;
}) {
  const [ghost, setGhost] = useState<{ handle: Handle; x: number; y: number }>();
  const list = useRef<HTMLUListElement>(null);
  const down = useRef<{ x: number; y: number }>(undefined);
  const dragged = ghost && view.pieces.get(ghost.handle);
  const longPress = useMemo(() => new LongPress(), []);
  useEffect(() => () => longPress.end(), [longPress]);
  const giveUp = () => {
    longPress.end();
    down.current = undefined;
    setGhost(undefined);
  };
  const letGo = ({ handle, x, y }: NonNullable<typeof ghost>) => {
    const box = list.current?.getBoundingClientRect();
    if (!box || x < box.left || x > box.right || y < box.top || y > box.bottom) {
      const chosen = pieces.filter((one) => selected.includes(one));
      onDropAt(chosen.includes(handle) ? chosen : [handle], x, y);
      return;
    }
    const boxes = [...(list.current?.querySelectorAll('li') ?? [])].map((item) =>
      item.getBoundingClientRect(),
    );
    const from = pieces.indexOf(handle);
    // Cards lie in rows.
    const isBefore = ({ left, top, width, bottom }: DOMRect) =>
      bottom < y || (top <= y && left + width / 2 < x);
    const before = boxes.filter((one, index) => index !== from && isBefore(one)).length;
    if (before !== from) onReorder(handle, before);
  };
  return (
    <section className={css.tray} aria-label={label} {...(hand && { 'data-hand': true })}>
      <header className={css.trayHead}>
        <h2>{label}</h2>
        <span>
          {pieces.length} {pieces.length === 1 ? 'card' : 'cards'}
        </span>
        {children}
      </header>
      {pieces.length === 0 && <p className={css.trayEmpty}>{empty}</p>}
      <ul ref={list} className={css.trayCards}>
        {pieces.map((handle) => {
          const shown = view.pieces.get(handle);
          if (!shown) return null;
          return (
            <li key={handle} data-dragged={ghost?.handle === handle || undefined}>
              <button
                type="button"
                data-piece={handle}
                aria-pressed={selected.includes(handle)}
                aria-label={[pieceName(view, handle), pieceState(view, handle)].filter(Boolean).join(', ')}
                className={css.trayCard}
                onClick={({ shiftKey }) => {
                  if (!shiftKey) onSelect([handle]);
                  else if (selected.includes(handle)) onSelect(selected.filter((one) => one !== handle));
                  else onSelect([...selected, handle]);
                }}
                onDoubleClick={() => onPlay(handle)}
                onContextMenu={(event) => {
                  event.preventDefault();
                  giveUp();
                  // During a drag another button gives it up.
                  if (!ghost) onMenu(handle, event.clientX, event.clientY);
                }}
                onKeyDown={(event) => {
                  if (event.key !== 'Escape' || !ghost) return;
                  event.preventDefault();
                  giveUp();
                }}
                onPointerDown={(event) => {
                  if (event.button !== 0) return;
                  down.current = { x: event.clientX, y: event.clientY };
                  event.currentTarget.setPointerCapture(event.pointerId);
                  longPress.down(event, (x, y) => {
                    giveUp();
                    onMenu(handle, x, y);
                  });
                }}
                onPointerMove={(event) => {
                  longPress.move(event);
                  const [{ clientX: x, clientY: y }, from] = [event, down.current];
                  if (!from || (!ghost && Math.hypot(x - from.x, y - from.y) < DRAG_FROM_PX)) return;
                  setGhost({ handle, x, y });
                }}
                onPointerUp={() => {
                  giveUp();
                  if (ghost) letGo(ghost);
                }}
                onPointerCancel={giveUp}
              >
                <PaintedPiece view={view} shown={shown} height={TRAY_PX} />
              </button>
            </li>
          );
        })}
      </ul>
      {ghost && dragged && (
        <span className={css.ghost} style={{ left: ghost.x, top: ghost.y }} aria-hidden>
          <PaintedPiece view={view} shown={dragged} height={TRAY_PX} />
        </span>
      )}
    </section>
  );
}
