import { useMemo } from 'react';
import { cellAt } from '../../../../../core/records.ts';
import {
  type Bar,
  type CountedCard,
  curve,
  iconUse,
  lengths,
  looksLikeTags,
  tagCounts,
} from '../../../../../core/table/statistics.ts';
import type { Card, Component, WithId } from '../../../../../data/documents/documents.ts';
import { BarChart } from './bar-chart.tsx';
import css from './statistics.module.css';

/** Longer texts on average are read, not looked at: their length is worth a chart. */
const LONG_TEXT = 30;

/** Curves, tags, lengths of text and use of icons over all cards, copies counted. */
export function StatisticsPane({
  component,
  cards,
}: {
  component: Component;
  /** With formula columns worked out. */
  cards: readonly WithId<Card>[];
}) {
  const charts = useMemo(() => chartsOf(component, cards), [component, cards]);
  const copies = cards.reduce((sum, card) => sum + card.copies, 0);
  return (
    <div className={css.pane}>
      <dl className={css.facts}>
        <div>
          <dt>Different cards</dt>
          <dd>{cards.length}</dd>
        </div>
        <div>
          <dt>With copies</dt>
          <dd>{copies}</dd>
        </div>
        <div>
          <dt>Columns</dt>
          <dd>{component.columns.length}</dd>
        </div>
      </dl>
      {charts.length === 0 ? (
        <p className={css.none}>
          Nothing to count yet: numbers make curves, short texts are counted, long ones are measured.
        </p>
      ) : (
        <div className={css.charts}>
          {charts.map(({ title, note, bars, lying }) => (
            <figure key={title} className={css.chart}>
              <figcaption>
                <h3>{title}</h3>
                <p>{note}</p>
              </figcaption>
              <BarChart title={title} bars={bars} lying={lying} />
            </figure>
          ))}
        </div>
      )}
    </div>
  );
}

interface Chart {
  readonly title: string;
  readonly note: string;
  readonly bars: readonly Bar[];
  /** Bars lie, with room for their labels. */
  readonly lying: boolean;
}

function chartsOf(component: Component, cards: readonly WithId<Card>[]): Chart[] {
  const own: CountedCard[] = cards.map((card) => ({
    copies: card.copies,
    text: (key) => cellAt(card.cells, key),
  }));
  const charts: Chart[] = [];
  const add = (title: string, note: string, bars: readonly Bar[], lying: boolean) => {
    if (bars.some(({ count }) => count > 0)) charts.push({ title, note, bars, lying });
  };
  for (const { key, name, type } of component.columns) {
    if (key === component.copiesColumn || key === component.idColumn || type === 'style') continue;
    const numbers = type === 'number' || type === 'formula' ? curve(own, key) : [];
    if (numbers.length > 0) add(name, 'Cards by value', numbers, false);
    else if (type === 'list' || type === 'bool' || type === 'colour' || looksLikeTags(own, key)) {
      add(name, 'Cards by tag', tagCounts(own, key), true);
    } else if (type === 'text') {
      const filled = own.filter((card) => card.text(key) !== '');
      const mean = filled.reduce((sum, card) => sum + card.text(key).length, 0) / (filled.length || 1);
      if (mean > LONG_TEXT) add(name, 'Cards by length of the text, in characters', lengths(own, key), false);
    }
  }
  const texts = component.columns.filter(({ type }) => type === 'text').map(({ key }) => key);
  add('Icons and variables', 'How often each is used', iconUse(own, texts), true);
  return charts;
}
