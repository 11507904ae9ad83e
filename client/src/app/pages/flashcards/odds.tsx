import { NativeSelect, NumberInput } from '@mantine/core';
import { useMemo, useState } from 'react';
import { average, chanceOfAtLeast } from '../../../core/learning/odds.ts';
import { looksLikeTags, tagCounts } from '../../../core/table/statistics.ts';
import type { Card, Component as CardComponent, WithId } from '../../../data/documents/documents.ts';
import { cellText, STATUS_KEY } from '../../../data/table/changes/edits.ts';
import { wordColumns } from './card-face.tsx';
import css from './flashcards.module.css';

/** Largest hand. */
const MAX_HAND = 60;
const FIRST_HAND = 5;
const AT_LEAST = [1, 2, 3];

const percent = new Intl.NumberFormat('en-GB', { style: 'percent', maximumFractionDigits: 1 });
const decimal = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 2 });

/** The chances that a hand has cards of each value of a column, copies counted. */
export function Odds({
  component,
  cards,
}: {
  component: WithId<CardComponent>;
  cards: readonly WithId<Card>[];
}) {
  const counted = useMemo(
    () =>
      cards.map((card) => ({
        copies: card.copies,
        text: (key: string) => cellText(card, key, component),
      })),
    [cards, component],
  );
  const columns = wordColumns(component.columns).filter(({ key }) => key !== component.copiesColumn);
  const [column, setColumn] = useState(
    () =>
      (columns.find(({ key, type }) => type === 'list' || looksLikeTags(counted, key)) ?? columns[0])?.key ??
      STATUS_KEY,
  );
  const [hand, setHand] = useState(FIRST_HAND);
  const deck = cards.reduce((sum, { copies }) => sum + copies, 0);
  const bars = useMemo(() => tagCounts(counted, column), [counted, column]);
  return (
    <section className={css.deck} aria-label="Odds">
      <div className={css.filters}>
        <NumberInput
          label="Cards in hand"
          min={1}
          max={MAX_HAND}
          allowDecimal={false}
          clampBehavior="strict"
          value={hand}
          onChange={(value) => setHand(Math.max(1, Number(value) || 1))}
        />
        <NativeSelect
          label="By"
          value={column}
          data={[
            ...columns.map(({ key, name }) => ({ value: key, label: name })),
            { value: STATUS_KEY, label: 'Status' },
          ]}
          onChange={(event) => setColumn(event.currentTarget.value)}
        />
      </div>
      <p className={css.quiet} role="status">
        {hand > deck
          ? `The deck has ${deck} cards, which is fewer than the hand.`
          : `A hand of ${hand} from a deck of ${deck}, copies counted, none put back.`}
      </p>
      {bars.length === 0 && <p className={css.quiet}>No card has anything in this column.</p>}
      {bars.length > 0 && hand <= deck && (
        <div className={css.scroll}>
          <table className={css.odds}>
            <thead>
              <tr>
                <th scope="col">Cards with</th>
                <th scope="col">In the deck</th>
                {AT_LEAST.map((count) => (
                  <th key={count} scope="col">
                    At least {count}
                  </th>
                ))}
                <th scope="col">Average</th>
              </tr>
            </thead>
            <tbody>
              {bars.map(({ label, count }) => {
                const drawing = { cards: deck, wanted: count, hand };
                return (
                  <tr key={label}>
                    <th scope="row">{label}</th>
                    <td>{count}</td>
                    {AT_LEAST.map((few) => (
                      <td key={few}>{percent.format(chanceOfAtLeast(drawing, few))}</td>
                    ))}
                    <td>{decimal.format(average(drawing))}</td>
                  </tr>
                );
              })}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}
