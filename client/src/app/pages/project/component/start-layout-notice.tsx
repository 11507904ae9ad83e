import { Button } from '@mantine/core';
import { Sparkles } from 'lucide-react';
import { listInWords } from '../../../../core/text/list-in-words.ts';
import type { Component as CardsComponent } from '../../../../data/documents/documents.ts';
import css from '../project.module.css';

function describeColumns({ columns }: CardsComponent): string {
  const names = columns.slice(0, 3).map(({ name }) => name);
  return listInWords(names) || 'them';
}

/** Offers a layout to cards that have none. */
export function StartLayoutNotice({
  component,
  busy,
  onStart,
}: {
  component: CardsComponent;
  busy: boolean;
  /** @param suggested places the columns, rather than opening an empty layout */
  onStart: (suggested: boolean) => void;
}) {
  return (
    <section className={css.dress} aria-label="Layout">
      <Sparkles size={22} aria-hidden />
      <div>
        <h3>{component.layoutId ? 'Its layout is gone' : 'How should these cards look?'}</h3>
        <p>
          A layout says where each column goes on a card. We can place {describeColumns(component)} for you;
          you move things afterwards.
        </p>
      </div>
      <Button
        data-tutorial="start-layout"
        loading={busy}
        leftSection={<Sparkles size={16} aria-hidden />}
        onClick={() => onStart(true)}
      >
        Start a layout from these columns
      </Button>
      <Button variant="default" disabled={busy} onClick={() => onStart(false)}>
        Empty layout
      </Button>
    </section>
  );
}
