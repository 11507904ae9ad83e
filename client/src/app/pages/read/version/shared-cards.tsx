import { Button } from '@mantine/core';
import { useMemo, useState } from 'react';
import type { Layout } from '../../../../core/scene/layout.ts';
import type { SharedPart, SharedVersion } from '../../../../core/versions/shared-version.ts';
import { Popup } from '../../../../ui/popups/popup.tsx';
import { PaintedCard } from '../../../painting/painted-card.tsx';
import css from './version-reader.module.css';

/** Cards shown before somebody asks for all. */
const FIRST = 120;
/** Widths on screen, in CSS pixels: of cards, and of boards and other large things. */
const CARD_PX = 168;
const BOARD_PX = 420;
const LARGE_PX = 460;
/** Wider things are boards, in millimetres. */
const BOARD_MM = 130;

/** A card with what it is drawn by. */
interface Drawn {
  readonly key: string;
  readonly name: string;
  readonly copies: number;
  readonly cells: Readonly<Record<string, string>>;
  readonly columns: SharedVersion['tables'][number];
  readonly layout: Layout;
  readonly back: Layout | undefined;
}

interface Group {
  readonly component: string;
  readonly name: string;
  readonly cards: readonly Drawn[];
}

function drawnOf({ layouts, tables }: SharedVersion, part: SharedPart, place: number): readonly Drawn[] {
  const layout = layouts[part.layout];
  const columns = tables[part.table];
  if (!layout || !columns) return [];
  const back = part.back === null ? undefined : layouts[part.back];
  return part.cards.map((card, at) => ({ ...card, key: `${place}-${at}`, columns, layout, back }));
}

/** Components in their order; parts of one with other layouts stand together. */
function groupsOf(version: SharedVersion): readonly Group[] {
  const groups = new Map<string, Group>();
  for (const [place, part] of version.parts.entries()) {
    const { component, name } = part;
    const known = groups.get(component)?.cards ?? [];
    groups.set(component, { component, name, cards: [...known, ...drawnOf(version, part, place)] });
  }
  return [...groups.values()].filter(({ cards }) => cards.length > 0);
}

/** The cards and boards of a version, each larger and with its back when it is chosen. */
export function SharedCards({ version }: { version: SharedVersion }) {
  const groups = useMemo(() => groupsOf(version), [version]);
  const [card, setCard] = useState<Drawn>();
  return (
    <>
      {groups.map((group) => (
        <Cards key={group.component} group={group} onCard={setCard} />
      ))}
      <Popup
        open={card !== undefined}
        onClose={() => setCard(undefined)}
        title={card?.name ?? 'Card'}
        width={card?.back ? 1_020 : 540}
      >
        {card && <Large card={card} />}
      </Popup>
    </>
  );
}

const countWords = (cards: readonly Drawn[]): string => {
  const copies = cards.reduce((sum, card) => sum + card.copies, 0);
  return copies === cards.length ? String(copies) : `${cards.length} different, ${copies} in all`;
};

function Cards({ group: { name, cards }, onCard }: { group: Group; onCard: (card: Drawn) => void }) {
  const [all, setAll] = useState(false);
  const shown = all ? cards : cards.slice(0, FIRST);
  return (
    <section className={css.group} aria-label={name}>
      <h2>
        {name} <small>{countWords(cards)}</small>
      </h2>
      <ul className={css.cards}>
        {shown.map((card) => (
          <li key={card.key}>
            <button type="button" className={css.card} aria-label={card.name} onClick={() => onCard(card)}>
              <PaintedCard
                layout={card.layout}
                cells={card.cells}
                columns={card.columns}
                width={card.layout.size.w > BOARD_MM ? BOARD_PX : CARD_PX}
                label=""
              />
            </button>
            {card.copies > 1 && <span className={css.copies}>{card.copies} copies</span>}
          </li>
        ))}
      </ul>
      {shown.length < cards.length && (
        <Button variant="default" onClick={() => setAll(true)}>
          Show all {cards.length}
        </Button>
      )}
    </section>
  );
}

function Large({ card: { name, layout, back, cells, columns } }: { card: Drawn }) {
  return (
    <div className={css.large}>
      <PaintedCard layout={layout} cells={cells} columns={columns} width={LARGE_PX} label={name} />
      {back && (
        <PaintedCard
          layout={back}
          cells={cells}
          columns={columns}
          width={LARGE_PX}
          label={`${name}, its back`}
        />
      )}
    </div>
  );
}
