import { Button } from '@mantine/core';
import { Ellipsis, Pencil, Plus, SquareStack, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import type { Deck, WithId } from '../../../data/documents.ts';
import { describeError } from '../../../data/messages.ts';
import { useDecks } from '../../../data/queries.ts';
import { Menu } from '../../../ui/menu.tsx';
import { EmptyState, Loading, Page, Placeholder, Problem } from '../../../ui/page.tsx';
import { DeckForm } from './deck-form.tsx';
import css from './decks.module.css';
import { DeleteDeck } from './delete-deck.tsx';

type Open = { kind: 'create' } | { kind: 'rename' | 'delete'; deck: WithId<Deck> } | undefined;

function ago(time: number): string {
  if (time === 0) return 'just now';
  const minutes = Math.round((time - Date.now()) / 60_000);
  const format = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });
  if (minutes > -1) return 'just now';
  if (minutes > -60) return format.format(minutes, 'minute');
  if (minutes > -60 * 24) return format.format(Math.round(minutes / 60), 'hour');
  return format.format(Math.round(minutes / 60 / 24), 'day');
}

function DeckTile({ deck, onOpen }: { deck: WithId<Deck>; onOpen: (open: Open) => void }) {
  return (
    <li className={css.tile} style={{ '--cover': deck.coverColor } as React.CSSProperties}>
      <Link
        to={`/decks/${deck.id}`}
        className={css.cover ?? ''}
        data-tutorial="project"
        aria-label={`Open ${deck.name}`}
      >
        <span className={css.lid} aria-hidden />
        <span className={css.coverName} aria-hidden>
          {deck.name}
        </span>
      </Link>
      <div className={css.caption}>
        <div>
          <Link to={`/decks/${deck.id}`} className={css.name ?? ''}>
            {deck.name}
          </Link>
          <span>Changed {ago(deck.updatedAt)}</span>
        </div>
        <Menu
          label={`More for ${deck.name}`}
          className={css.more}
          width={170}
          items={[
            { label: 'Rename', icon: <Pencil size={15} />, onSelect: () => onOpen({ kind: 'rename', deck }) },
            {
              label: 'Delete',
              icon: <Trash2 size={15} />,
              danger: true,
              onSelect: () => onOpen({ kind: 'delete', deck }),
            },
          ]}
        >
          <Ellipsis size={18} aria-hidden />
        </Menu>
      </div>
    </li>
  );
}

/** `/decks` */
export function Component() {
  const { data, error } = useDecks();
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const create = (
    <Button
      data-tutorial="new-project"
      leftSection={<Plus size={17} aria-hidden />}
      onClick={() => setOpen({ kind: 'create' })}
    >
      New project
    </Button>
  );
  const decks = data?.items;
  return (
    <Page
      title="Projects"
      lead="A project is one game: its decks, their cards and how they look."
      actions={decks && decks.length > 0 && create}
    >
      {error && <Problem title={describeError(error)} />}
      {data?.unreadable.map((sentence) => (
        <Problem key={sentence} title={sentence} />
      ))}
      {!decks && !error && (
        <ul className={css.grid}>
          <Loading label="Loading projects" />
          {[0, 1, 2, 3].map((i) => (
            <li key={i}>
              <Placeholder height={190} radius={12} />
            </li>
          ))}
        </ul>
      )}
      {decks?.length === 0 && (
        <EmptyState icon={<SquareStack size={26} />} title="Your first game starts here" action={create}>
          Make a project, drop a card list on it, and see the cards at once. You can change everything later.
        </EmptyState>
      )}
      {decks && decks.length > 0 && (
        <ul className={css.grid} aria-label="Projects">
          {decks.map((deck) => (
            <DeckTile key={deck.id} deck={deck} onOpen={setOpen} />
          ))}
        </ul>
      )}
      <DeckForm
        open={open?.kind === 'create' || open?.kind === 'rename'}
        deck={open?.kind === 'rename' ? open.deck : undefined}
        count={decks?.length ?? 0}
        onClose={close}
      />
      <DeleteDeck deck={open?.kind === 'delete' ? open.deck : undefined} onClose={close} />
    </Page>
  );
}
