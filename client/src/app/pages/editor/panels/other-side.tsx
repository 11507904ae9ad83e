import { Link } from 'react-router';
import { useLayout } from '../../../../data/queries.ts';
import { PaintedCard } from '../../../painting/painted-card.tsx';
import { useLayoutSource } from '../../project/project-gate.tsx';
import type { Table } from '../state/use-table.ts';
import css from './panels.module.css';

/** Longer side of the picture, in CSS pixels. */
const THUMBNAIL_PX = 120;

/** The other side of the card shown, beside the one that is drawn: one click and that one is drawn. */
export function OtherSide({
  layout,
  table,
  cells,
  query,
}: {
  /** Id of the layout being drawn. */
  layout: string;
  table: Table;
  cells: Readonly<Record<string, string>>;
  /** Says in an editor's address which cards are shown. */
  query: string;
}) {
  const { sides } = table;
  const back = layout === sides?.front;
  const other = back ? sides.back : layout === sides?.back ? sides.front : null;
  // A side that is drawn with the same layout is not another.
  return other === null || other === layout ? null : (
    <Side id={other} name={back ? 'Back' : 'Front'} table={table} cells={cells} query={query} />
  );
}

function Side({
  id,
  name,
  table,
  cells,
  query,
}: {
  id: string;
  name: string;
  table: Table;
  cells: Readonly<Record<string, string>>;
  query: string;
}) {
  const source = useLayoutSource();
  const { data } = useLayout(source.layout(id));
  if (!data) return null;
  const { w, h } = data.scene.size;
  return (
    <Link
      to={`/layouts/edit/${id}?${query}`}
      className={css.other ?? ''}
      aria-label={`Draw the ${name.toLowerCase()}`}
    >
      <PaintedCard
        layout={data.scene}
        cells={cells}
        columns={table.columns}
        width={Math.round((THUMBNAIL_PX * w) / Math.max(w, h))}
        label=""
      />
      {name}
    </Link>
  );
}
