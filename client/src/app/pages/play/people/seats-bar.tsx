import { Hand, Plus } from 'lucide-react';
import type { Act, SeatNo } from '../../../../core/play/protocol/messages.ts';
import { handOf, type TableView } from '../../../../core/play/view/view.ts';
import type { Connected } from '../../../../data/play/connection.ts';
import { Menu, type MenuItem } from '../../../../ui/menu/menu.tsx';
import { Tooltip } from '../../../../ui/tooltip.tsx';
import { leads, type PlayContext } from '../commands/play-context.ts';
import css from '../play.module.css';
import { SeatBadge } from './seat-badge.tsx';

const ROLES = { host: 'host', cohost: 'co-host', player: '' } as const;

/** Seats with their people, hands and turn; the free ones can be taken. */
export function SeatsBar({
  connected,
  context,
  takesHostSeats,
  name: ownName,
  onRename,
  onHand,
}: {
  connected: Connected;
  context: PlayContext;
  /** True for those who may take hosts' seats too: owners and editors of the project, and everybody at a sample table. */
  takesHostSeats: boolean;
  /** The name with which one sits down. */
  name: string;
  onRename: () => void;
  /** Selects a seat's hand. */
  onHand: (hand: string) => void;
}) {
  const { view } = context;
  const { table, seat: own } = view;
  const seats = Object.entries(table.seats).map(([no, seat]) => ({ no: Number(no), ...seat }));
  const observers = connected.people.observers;
  return (
    <ul className={css.seats} aria-label="Seats">
      {seats.map(({ no, name, colour, role, taken }) => {
        const hand = handOf(view.pieces, no);
        const count = hand === undefined ? undefined : view.pieces.get(hand)?.container?.count;
        const here = connected.over === 'calls' || connected.people.seats.includes(no);
        const words = [
          no === own ? 'you' : connected.you.seats.includes(no) ? 'you too' : '',
          ROLES[role],
          taken ? (here ? '' : 'away') : 'free',
          table.clock.turn === no ? 'on turn' : '',
        ].filter(Boolean);
        return (
          <li
            key={no}
            className={css.seat}
            data-seat={taken ? no : undefined}
            data-turn={table.clock.turn === no || undefined}
            data-away={(taken && !here) || undefined}
          >
            <SeatBadge seat={no} colour={colour} />
            <span className={css.seatWords}>
              <strong>{name}</strong>
              {words.length > 0 && <small>{words.join(', ')}</small>}
            </span>
            {count !== undefined && hand !== undefined && (taken || count > 0) && (
              <Tooltip label={`${count} in hand`}>
                <button
                  type="button"
                  className={css.handCount}
                  aria-label={`Hand of ${name}: ${count}`}
                  onClick={() => onHand(hand)}
                >
                  <Hand size={13} aria-hidden /> {count}
                </button>
              </Tooltip>
            )}
            <SeatMenu
              no={no}
              name={name}
              own={no === own}
              isMine={connected.you.seats.includes(no)}
              taken={taken}
              away={taken && !here}
              takesHostSeats={takesHostSeats}
              context={context}
              ownName={ownName}
              onRename={onRename}
              hand={hand}
              count={count ?? 0}
            />
          </li>
        );
      })}
      {observers > 0 && (
        <li className={css.observers}>
          {observers} {observers === 1 ? 'observer' : 'observers'}
        </li>
      )}
    </ul>
  );
}

function SeatMenu({
  no,
  name,
  own,
  isMine,
  taken,
  away,
  takesHostSeats,
  context,
  ownName,
  onRename,
  hand,
  count,
}: {
  no: SeatNo;
  name: string;
  own: boolean;
  /** True for every seat of one's own. */
  isMine: boolean;
  taken: boolean;
  /** True if whoever sits there is not at the table now. */
  away: boolean;
  takesHostSeats: boolean;
  context: PlayContext;
  ownName: string;
  onRename: () => void;
  hand: string | undefined;
  count: number;
}) {
  const { table, seat } = context.view;
  const lead = leads(context);
  const act = (one: Act) => void context.act(one);
  if (table.ended) return null;
  const items: MenuItem[] = [];
  if (own) {
    items.push({ label: 'Change my name', onSelect: onRename });
    items.push({ label: 'Get up', onSelect: () => act({ verb: 'leave' }) });
  } else if (isMine) {
    items.push({ label: 'Look from this seat', onSelect: () => context.look(no) });
    items.push({ label: 'Get up from this seat', onSelect: () => act({ verb: 'leave', seat: no }) });
  } else if (!taken) {
    if (seat !== null) {
      items.push({
        label: 'Play this seat too',
        onSelect: () => act({ verb: 'claim', as: no, name: ownName }),
      });
    }
  } else {
    const { colour, role } = table.seats[String(no)] ?? {};
    if (away && (takesHostSeats || role === 'player')) {
      items.push({
        label: 'Take over this seat',
        onSelect: () => act({ verb: 'claim', as: no, name: ownName }),
      });
    }
    if (seat !== null && hand !== undefined) {
      items.push({
        label: 'Take a card by chance',
        disabled: count === 0 || (!table.settings.rights.take && !lead),
        onSelect: () => act({ verb: 'take', into: hand, count: 1 }),
      });
    }
    if (lead) {
      items.push({ label: 'Give them the turn', onSelect: () => act({ verb: 'pass', to: no }) });
      if (role === 'player' || role === 'cohost') {
        const next = role === 'player' ? 'cohost' : 'player';
        items.push({
          label: role === 'player' ? 'Make co-host' : 'Make player again',
          onSelect: () =>
            act({ verb: 'edit', edit: { seat: { seat: no, name, colour: colour ?? 0, role: next } } }),
        });
      }
      items.push({ label: 'Free this seat', danger: true, onSelect: () => act({ verb: 'leave', seat: no }) });
    }
  }
  if (items.length === 0) return null;
  return (
    <Menu label={`More for ${name}`} className={css.seatMenu} items={items}>
      ⋯
    </Menu>
  );
}

/** Free seats for somebody who watches, with the reason why one cannot be taken. */
export function FreeSeats({
  view,
  takesHostSeats,
  onSit,
}: {
  view: TableView;
  /** True for those who may take hosts' seats too: owners and editors of the project, and everybody at a sample table. */
  takesHostSeats: boolean;
  onSit: (seat: SeatNo) => void;
}) {
  const free = Object.entries(view.table.seats).filter(
    ([, { taken, role }]) => !taken && (takesHostSeats || role === 'player'),
  );
  if (view.seat !== null || view.table.ended) return null;
  return (
    <section className={css.freeSeats} aria-label="Take a seat">
      <p>
        {free.length > 0
          ? 'You are watching. Take a seat to play:'
          : 'You are watching: every seat for players is taken.'}
      </p>
      {free.map(([no, { name, colour }]) => (
        <button key={no} type="button" className={css.sit} onClick={() => onSit(Number(no))}>
          <SeatBadge seat={Number(no)} colour={colour} />
          <Plus size={14} aria-hidden /> Sit at {name}
        </button>
      ))}
    </section>
  );
}
