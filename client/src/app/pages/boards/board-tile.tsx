import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Column } from '../../../core/scene/card/row.ts';
import type { Layout } from '../../../core/scene/layout.ts';
import { PaintedCard } from '../../painting/painted-card.tsx';
import css from './boards.module.css';

/** Longer side of a picture, in CSS pixels. */
const PICTURE_PX = 232;
const NO_COLUMNS: readonly never[] = [];
const NO_CELLS = {};

/** Width by height of a board, in whole millimetres; never broken over two lines. */
export const boardSize = ({ size: { w, h } }: Layout): string =>
  `${Math.round(w)}\u00a0×\u00a0${Math.round(h)}\u00a0mm`;

/** A board with its picture: a link to it, or a button that begins with it. */
export function BoardTile({
  scene,
  cells = NO_CELLS,
  columns = NO_COLUMNS,
  name,
  note,
  to,
  onPick,
  busy = false,
  children,
}: {
  /** Missing for a component that has no layout yet. */
  scene: Layout | undefined;
  cells?: Readonly<Record<string, string>> | undefined;
  columns?: readonly Column[];
  name: string;
  note: string;
  to?: string;
  onPick?: () => void;
  busy?: boolean;
  /** Its menu. */
  children?: ReactNode;
}) {
  const picture = scene ? (
    <PaintedCard
      layout={scene}
      cells={cells}
      columns={columns}
      width={Math.round((PICTURE_PX * scene.size.w) / Math.max(scene.size.w, scene.size.h))}
      label=""
    />
  ) : (
    <span className={css.blank}>No layout yet</span>
  );
  const words = (
    <span className={css.words}>
      <b>{name}</b>
      <small>{note}</small>
    </span>
  );
  if (to === undefined) {
    return (
      <li className={css.tile}>
        <button type="button" className={css.start} disabled={busy} onClick={onPick}>
          <span className={css.picture}>{picture}</span>
          {words}
        </button>
      </li>
    );
  }
  return (
    <li className={css.tile}>
      <Link to={to} className={css.start ?? ''}>
        <span className={css.picture}>{picture}</span>
        {words}
      </Link>
      {children && <div className={css.menu}>{children}</div>}
    </li>
  );
}
