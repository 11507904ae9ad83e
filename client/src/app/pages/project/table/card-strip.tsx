import { Copy } from 'lucide-react';
import { type Ref, useEffect, useImperativeHandle, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { Layout } from '../../../../core/scene/layout.ts';
import type { Card, TableColumn, WithId } from '../../../../data/documents/documents.ts';
import { PaintedCard } from '../../../painting/painted-card.tsx';
import { cardName } from '../cards/card-grid.tsx';
import css from './card-strip.module.css';
import type { TableWords } from './words/table-words.ts';

const CARD_PX = 112;
const GAP_PX = 10;
/** Cards painted to the left and right of what is seen. */
const OVERSCAN = 3;

/** Scroll behaviour of the strip. */
export type StripScroll = 'smooth' | 'auto';

export interface StripHandle {
  /** Shows a card at the left edge; `part` is how much of it is past already, from 0 to 1. */
  scrollTo(card: string, part: number, how: StripScroll): void;
}

/** Card that a key leads to, among `count`. */
function nextPlace(key: string, from: number, count: number): number | undefined {
  const to = { ArrowLeft: from - 1, ArrowRight: from + 1, Home: 0, End: count - 1 }[key];
  return to === undefined ? undefined : Math.min(Math.max(to, 0), count - 1);
}

/** The cards above the table, in the table's order. */
export function CardStrip({
  cards,
  columns,
  layout,
  front,
  copies,
  current,
  words,
  handle,
  onCopies,
  onSelect,
  onOpen,
}: {
  cards: readonly WithId<Card>[];
  columns: readonly TableColumn[];
  layout: Layout;
  /** Layout of a card, for components whose cards differ in it. */
  front: (card: WithId<Card>) => Layout;
  /** Show each copy rather than one of each. */
  copies: boolean;
  current: string | undefined;
  /** The words of a language, while the table shows them. */
  words: TableWords | undefined;
  handle: Ref<StripHandle>;
  onCopies: (copies: boolean) => void;
  onSelect: (card: string) => void;
  onOpen: (card: string) => void;
}) {
  const scroller = useRef<HTMLElement>(null);
  const [range, setRange] = useState<readonly [number, number]>([0, 12]);
  const step = CARD_PX + GAP_PX;
  /** Index of each card's first painting, and the number of paintings. */
  const { places, items } = useMemo(() => {
    const found = new Map<string, number>();
    const list: { card: WithId<Card>; copy: number }[] = [];
    for (const card of cards) {
      found.set(card.id, list.length);
      const times = copies ? card.copies : 1;
      for (let copy = 1; copy <= times; copy++) list.push({ card, copy });
    }
    return { places: found, items: list };
  }, [cards, copies]);

  const measure = useMemo(
    () => () => {
      const element = scroller.current;
      if (!element) return;
      const first = Math.max(0, Math.floor(element.scrollLeft / step) - OVERSCAN);
      const last = Math.ceil((element.scrollLeft + element.clientWidth) / step) + OVERSCAN;
      setRange((old) => (old[0] === first && old[1] === last ? old : [first, last]));
    },
    [step],
  );
  useLayoutEffect(() => {
    measure();
    const element = scroller.current;
    if (!element) return;
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [measure]);

  useImperativeHandle(
    handle,
    () => ({
      scrollTo(card, part, how) {
        const place = places.get(card);
        const element = scroller.current;
        if (place === undefined || !element) return;
        const times = copies ? (cards.find(({ id }) => id === card)?.copies ?? 1) : 1;
        const left = (place + part * Math.max(1, times)) * step;
        const inView =
          left >= element.scrollLeft && left + CARD_PX <= element.scrollLeft + element.clientWidth;
        if (part === 0 && how === 'smooth' && inView) return;
        element.scrollTo({ left, behavior: how });
      },
    }),
    [places, cards, copies, step],
  );

  const [place, setPlace] = useState(0);
  const list = useRef<HTMLUListElement>(null);
  const wantsFocus = useRef(false);
  // The one card in the tab order is among those that are there.
  const stop = Math.min(Math.max(place, range[0]), Math.min(range[1], items.length) - 1);
  const go = (to: number) => {
    if (to === place) return;
    wantsFocus.current = true;
    setPlace(to);
    const element = scroller.current;
    if (!element) return;
    const [left, right] = [to * step, to * step + CARD_PX];
    if (left < element.scrollLeft) element.scrollTo({ left });
    else if (right > element.scrollLeft + element.clientWidth)
      element.scrollTo({ left: right - element.clientWidth });
  };
  const currentPlace = current === undefined ? undefined : places.get(current);
  useEffect(() => {
    // The table's cursor leads, as long as the keyboard is not in the strip.
    if (currentPlace !== undefined && !list.current?.contains(document.activeElement)) setPlace(currentPlace);
  }, [currentPlace]);
  // A card that is far away is there only after the strip has scrolled.
  useLayoutEffect(() => {
    if (!wantsFocus.current || stop !== place) return;
    wantsFocus.current = false;
    list.current?.querySelector<HTMLElement>(`[data-place="${place}"]`)?.focus({ preventScroll: true });
  }, [place, stop]);

  const height = Math.ceil((CARD_PX * layout.size.h) / layout.size.w);
  return (
    <div className={css.strip}>
      <section ref={scroller} className={css.scroller} aria-label="Cards" onScroll={measure}>
        <ul
          ref={list}
          className={css.list}
          onKeyDown={(event) => {
            if (event.altKey || event.ctrlKey || event.metaKey) return;
            const to = nextPlace(event.key, stop, items.length);
            if (to === undefined) return;
            event.preventDefault();
            go(to);
          }}
          style={{ width: items.length * step, height: height + 14 }}
        >
          {items.slice(range[0], range[1]).map(({ card, copy }, i) => (
            <li
              key={`${card.id}/${copy}`}
              style={{ width: CARD_PX, transform: `translateX(${(range[0] + i) * step}px)` }}
              aria-setsize={items.length}
              aria-posinset={range[0] + i + 1}
            >
              <button
                type="button"
                className={css.card}
                tabIndex={range[0] + i === stop ? 0 : -1}
                data-place={range[0] + i}
                onFocus={() => setPlace(range[0] + i)}
                data-current={card.id === current || undefined}
                data-card={card.id}
                title="Click goes to its row, double-click opens it"
                aria-label={`${cardName(card, columns)}${copies && card.copies > 1 ? `, copy ${copy} of ${card.copies}` : ''}`}
                onClick={() => onSelect(card.id)}
                onDoubleClick={() => onOpen(card.id)}
              >
                <PaintedCard
                  layout={words ? words.layoutOf(front(card)) : front(card)}
                  cells={card.cells}
                  words={words?.wordsOf(card.id)}
                  columns={columns}
                  width={CARD_PX}
                  label=""
                />
                {!copies && card.copies !== 1 && <b className={css.copies}>×{card.copies}</b>}
              </button>
            </li>
          ))}
        </ul>
      </section>
      <button
        type="button"
        className={css.toggle}
        aria-pressed={copies}
        title={copies ? 'Show one of each card' : 'Show every copy'}
        aria-label="Show every copy"
        onClick={() => onCopies(!copies)}
      >
        <Copy size={15} aria-hidden />
      </button>
    </div>
  );
}
