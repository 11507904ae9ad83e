import { useLayoutEffect, useRef, useState } from 'react';
import { cellAt } from '../../../../core/records.ts';
import type { Layout } from '../../../../core/scene/layout.ts';
import type { Card, TableColumn, WithId } from '../../../../data/documents/documents.ts';
import { Unseen } from '../../../../ui/page/page.tsx';
import { PaintedCard } from '../../../painting/painted-card.tsx';
import css from '../project.module.css';
import type { TableWords } from '../table/words/table-words.ts';
import { type GridShape, gridShape, visibleRows } from './grid-window.ts';

/** Name of a card in lists: its first non-empty cell. */
export function cardName(card: Pick<Card, 'cells'>, columns: readonly TableColumn[]): string {
  const named = columns.find(({ name }) => /^(name|title)$/i.test(name));
  const order = named ? [named, ...columns] : columns;
  for (const { key } of order) {
    const text = cellAt(card.cells, key).trim();
    if (text !== '') return text;
  }
  return 'Empty card';
}

/** Every card, painted; only those in view exist in the page. */
export function CardGrid({
  cards,
  columns,
  layout,
  front = () => layout,
  words,
  onOpen,
}: {
  cards: readonly WithId<Card>[];
  columns: readonly TableColumn[];
  layout: Layout;
  /** Layout of a card, for components whose cards differ in it. */
  front?: (card: WithId<Card>) => Layout;
  /** The words of a language that the cards are shown in. */
  words?: Pick<TableWords, 'layoutOf' | 'wordsOf'> | undefined;
  onOpen: (card: WithId<Card>) => void;
}) {
  const grid = useRef<HTMLUListElement>(null);
  const [shape, setShape] = useState<GridShape>();
  const [rows, setRows] = useState<readonly [number, number]>([0, 0]);
  const ratio = layout.size.h / layout.size.w;

  useLayoutEffect(() => {
    const element = grid.current;
    if (!element) return;
    const measure = () => {
      const box = element.getBoundingClientRect();
      const next = gridShape(element.clientWidth, ratio, cards.length);
      setShape((old) => (old && JSON.stringify(old) === JSON.stringify(next) ? old : next));
      const [first, last] = visibleRows(next, -box.top, window.innerHeight);
      setRows((old) => (old[0] === first && old[1] === last ? old : [first, last]));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    window.addEventListener('scroll', measure, { passive: true });
    window.addEventListener('resize', measure);
    return () => {
      observer.disconnect();
      window.removeEventListener('scroll', measure);
      window.removeEventListener('resize', measure);
    };
  }, [ratio, cards.length]);

  const from = shape ? rows[0] * shape.perRow : 0;
  const to = shape ? (rows[1] + 1) * shape.perRow : 0;
  return (
    <ul
      ref={grid}
      className={css.cards}
      style={{ height: shape?.height ?? 400 }}
      aria-label={`Cards, ${cards.length}`}
    >
      {shape &&
        cards.slice(from, to).map((card, i) => {
          const index = from + i;
          const name = cardName(card, columns);
          return (
            <li
              key={card.id}
              aria-setsize={cards.length}
              aria-posinset={index + 1}
              style={{
                width: shape.tileWidth,
                transform: `translate(${(index % shape.perRow) * (shape.tileWidth + shape.gap)}px, ${
                  Math.floor(index / shape.perRow) * shape.rowHeight
                }px)`,
              }}
            >
              <button type="button" className={css.card} onClick={() => onOpen(card)}>
                <PaintedCard
                  layout={words ? words.layoutOf(front(card)) : front(card)}
                  cells={card.cells}
                  words={words?.wordsOf(card.id)}
                  columns={columns}
                  width={shape.tileWidth}
                  label=""
                />
                <span className={css.cardName}>
                  <Unseen>Edit </Unseen>
                  <span>{name}</span>
                  {card.copies !== 1 && <b>×{card.copies}</b>}
                </span>
              </button>
            </li>
          );
        })}
    </ul>
  );
}
