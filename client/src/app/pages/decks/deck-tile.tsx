import { Ellipsis, Users } from 'lucide-react';
import { Link } from 'react-router';
import type { Deck, WithId } from '../../../data/documents.ts';
import { Menu, type MenuItem } from '../../../ui/menu.tsx';
import { CardCover } from './cover.tsx';
import css from './decks.module.css';

/** Most tags a tile shows. */
const MAX_SHOWN_TAGS = 3;

/** How long ago something was, in words. */
export function ago(time: number): string {
  if (time === 0) return 'just now';
  const minutes = Math.round((time - Date.now()) / 60_000);
  const format = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });
  if (minutes > -1) return 'just now';
  if (minutes > -60) return format.format(minutes, 'minute');
  if (minutes > -60 * 24) return format.format(Math.round(minutes / 60), 'hour');
  return format.format(Math.round(minutes / 60 / 24), 'day');
}

/** A project as a box in the list. */
export function DeckTile({
  deck,
  note,
  items,
  closed = false,
}: {
  deck: WithId<Deck>;
  /** The line under its name. */
  note: string;
  items: readonly MenuItem[];
  /** It cannot be opened where it is. */
  closed?: boolean;
}) {
  const members = Object.keys(deck.members).length;
  const cover = (
    <>
      <span className={css.lid} aria-hidden />
      {deck.cover === 'card' && !closed && <CardCover deck={deck} />}
      <span className={css.coverName} aria-hidden>
        {deck.name}
      </span>
      {members > 0 && (
        <span className={css.shared} title={`${members + 1} people`}>
          <Users size={14} aria-hidden /> {members + 1}
        </span>
      )}
    </>
  );
  return (
    <li className={css.tile} style={{ '--cover': deck.coverColor } as React.CSSProperties}>
      {closed ? (
        <div className={css.cover} data-closed>
          {cover}
        </div>
      ) : (
        <Link
          to={`/decks/${deck.id}`}
          className={css.cover ?? ''}
          data-tutorial="project"
          data-cover={deck.cover}
          aria-label={`Open ${deck.name}`}
        >
          {cover}
        </Link>
      )}
      <div className={css.caption}>
        <div>
          {closed ? (
            <strong className={css.name}>{deck.name}</strong>
          ) : (
            <Link to={`/decks/${deck.id}`} className={css.name ?? ''}>
              {deck.name}
            </Link>
          )}
          <span>{note}</span>
          {deck.tags.length > 0 && (
            <span className={css.tags}>
              {deck.tags.slice(0, MAX_SHOWN_TAGS).map((tag) => (
                <span key={tag}>{tag}</span>
              ))}
              {deck.tags.length > MAX_SHOWN_TAGS && <span>+{deck.tags.length - MAX_SHOWN_TAGS}</span>}
            </span>
          )}
        </div>
        <Menu label={`More for ${deck.name}`} className={css.more} width={190} items={items}>
          <Ellipsis size={18} aria-hidden />
        </Menu>
      </div>
    </li>
  );
}
