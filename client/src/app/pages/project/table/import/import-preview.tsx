import { Checkbox } from '@mantine/core';
import type { Component, WithId } from '../../../../../data/documents/documents.ts';
import type { ImportPlan } from '../../../../../data/import/plan.ts';
import { cardName } from '../../cards/card-grid.tsx';
import css from './import.module.css';

/** Most cards of each kind that are listed. */
const MAX_LISTED = 200;

const cards = (count: number) => (count === 1 ? '1 card' : `${count} cards`);

/** Preview of an import's additions, changes and deletions; nothing is written before it is confirmed. */
export function ImportPreview({
  plan,
  component,
  remove,
  onRemove,
}: {
  plan: ImportPlan;
  component: WithId<Component>;
  remove: boolean;
  onRemove: (remove: boolean) => void;
}) {
  const columns = [...component.columns, ...plan.newColumns];
  const nameOf = (key: string) => columns.find((column) => column.key === key)?.name ?? key;
  const nothing =
    plan.added.length + plan.changed.length + plan.missing.length + plan.newColumns.length === 0;
  return (
    <div className={css.preview}>
      <dl className={css.counts}>
        <div data-kind="added">
          <dt>Added</dt>
          <dd>{plan.added.length}</dd>
        </div>
        <div data-kind="changed">
          <dt>Changed</dt>
          <dd>{plan.changed.length}</dd>
        </div>
        <div data-kind="removed">
          <dt>{remove ? 'Removed' : 'Not in the file'}</dt>
          <dd>{plan.missing.length}</dd>
        </div>
        <div>
          <dt>Unchanged</dt>
          <dd>{plan.unchanged}</dd>
        </div>
      </dl>
      {nothing && <p>The file says what the table says already.</p>}
      {plan.newColumns.length > 0 && (
        <p>
          New {plan.newColumns.length === 1 ? 'column' : 'columns'}:{' '}
          {plan.newColumns.map(({ name }) => name).join(', ')}
        </p>
      )}
      {plan.missing.length > 0 && (
        <Checkbox
          label={`Delete ${cards(plan.missing.length)} that ${plan.missing.length === 1 ? 'is' : 'are'} not in the file`}
          checked={remove}
          onChange={(event) => onRemove(event.currentTarget.checked)}
        />
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lists are scrolled with the keyboard */}
      <section className={css.changes} tabIndex={0} aria-label="What would change">
        {plan.changed.slice(0, MAX_LISTED).map(({ card, cells, copies }) => (
          <article key={card.id} data-kind="changed">
            <h3>{cardName(card, component.columns)}</h3>
            {cells.map(({ key, before, after }) => (
              <p key={key}>
                <b>{nameOf(key)}</b> <del>{before || 'empty'}</del> <ins>{after || 'empty'}</ins>
              </p>
            ))}
            {copies && (
              <p>
                <b>Copies</b> <del>{copies.before}</del> <ins>{copies.after}</ins>
              </p>
            )}
          </article>
        ))}
        {plan.added.slice(0, MAX_LISTED).map((card, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: cards that are not there yet have no id
          <article key={i} data-kind="added">
            <h3>{cardName(card, columns)}</h3>
          </article>
        ))}
        {plan.missing.slice(0, MAX_LISTED).map((card) => (
          <article key={card.id} data-kind={remove ? 'removed' : 'kept'}>
            <h3>{cardName(card, component.columns)}</h3>
          </article>
        ))}
      </section>
    </div>
  );
}
