import type { CardDifference } from '../../../../core/versions/cards.ts';
import type { ColumnDifference, ComponentDifference } from '../../../../core/versions/components.ts';
import { useLayouts } from '../../../../data/project/queries.ts';
import { useProject } from '../../project/project-gate.tsx';
import { cardKey } from '../changed-items.ts';
import css from '../comparison.module.css';
import { CardChanges } from './card-changes.tsx';
import { DetailFrame, RestorePaths } from './detail-frame.tsx';
import { FieldRows, type Wording } from './field-rows.tsx';

/** Most cards shown whole; others are in the list beside. */
const MAX_CARDS = 100;

const KINDS: Readonly<Record<ComponentDifference['change'], string>> = {
  added: 'New component',
  removed: 'Component that is gone',
  changed: 'Changed component',
  same: 'Component with changed cards',
};
const COLUMNS: Readonly<Record<ColumnDifference['change'], string>> = {
  added: 'New column',
  removed: 'Column that is gone',
  changed: 'Changed column',
  moved: 'Moved column',
};
const CARDS: Readonly<Record<CardDifference['change'], string>> = {
  added: 'new',
  removed: 'gone',
  changed: 'changed',
  moved: 'moved',
};
const LAYOUT_FIELDS = new Set(['layoutId', 'backLayoutId']);

/** Layouts by their names. */
function useWording(): Wording {
  const layouts = useLayouts(useProject()).data?.items;
  return (field, value) => {
    if (!LAYOUT_FIELDS.has(field)) return undefined;
    if (typeof value !== 'string') return 'none';
    return layouts?.find(({ id }) => id === value)?.name ?? 'a layout that is gone';
  };
}

export function ComponentDetail({
  component,
  onShow,
}: {
  component: ComponentDifference;
  onShow: (key: string) => void;
}) {
  const { id, name, change, fields, columns, cards } = component;
  const wording = useWording();
  const rest = cards.length - MAX_CARDS;
  return (
    <DetailFrame
      title={name}
      kind={KINDS[change]}
      restore={<RestorePaths paths={[`components/${id}`]} of={name} />}
    >
      <FieldRows fields={fields} wording={wording} />
      {columns.map((column) => (
        <div key={column.key}>
          <p className={css.hint}>
            {COLUMNS[column.change]}: <b>{column.name}</b>
          </p>
          <FieldRows fields={column.fields} />
        </div>
      ))}
      {cards.length > 0 && (
        <ul className={css.cards} aria-label="Cards that differ">
          {cards.slice(0, MAX_CARDS).map((card) => (
            <li key={card.id}>
              <h3>
                <button type="button" onClick={() => onShow(cardKey(id, card.id))}>
                  {card.name}
                </button>{' '}
                <small>{CARDS[card.change]}</small>
              </h3>
              {card.change === 'changed' && <CardChanges card={card} />}
            </li>
          ))}
        </ul>
      )}
      {rest > 0 && <p className={css.hint}>and {rest} more cards</p>}
    </DetailFrame>
  );
}
