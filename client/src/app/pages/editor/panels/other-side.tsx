import { Link } from 'react-router';
import { editorAddress } from '../../../../data/project/layout-address.ts';
import { useLayout } from '../../../../data/project/queries.ts';
import { PaintedCard } from '../../../painting/painted-card.tsx';
import { useLayoutSource } from '../../project/project-gate.tsx';
import type { Table } from '../state/table/use-table.ts';
import css from './panels.module.css';

/** Longer side of the picture, in CSS pixels. */
const THUMBNAIL_PX = 120;

/** The other side of the card shown, beside the one that is drawn: one click and that one is drawn. */
export function OtherSide({
  layout,
  table,
  cells,
  component,
}: {
  /** Id of the layout being drawn. */
  layout: string;
  table: Table;
  cells: Readonly<Record<string, string>>;
  /** The component whose cards are shown. */
  component: string;
}) {
  const { sides } = table;
  const back = layout === sides?.front;
  const other = back ? sides.back : layout === sides?.back ? sides.front : null;
  // A side that is drawn with the same layout is not another.
  return other === null || other === layout ? null : (
    <Side id={other} name={back ? 'Back' : 'Front'} table={table} cells={cells} component={component} />
  );
}

function Side({
  id,
  name,
  table,
  cells,
  component,
}: {
  id: string;
  name: string;
  table: Table;
  cells: Readonly<Record<string, string>>;
  component: string;
}) {
  const source = useLayoutSource();
  const { data } = useLayout(source.layout(id));
  if (!data) return null;
  const { w, h } = data.scene.size;
  return (
    <Link
      to={editorAddress(source.segment(id), component)}
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
