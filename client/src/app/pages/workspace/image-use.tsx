import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { shownName } from '../../../core/images/library.ts';
import { nameOf } from '../../../core/images/path.ts';
import { cellAt } from '../../../core/records.ts';
import type { Card, TableColumn, WithId } from '../../../data/documents/documents.ts';
import { knownLibrary, onLibrary, readyLibrary } from '../../../workers/sources/library.ts';
import { SourceThumbnail } from '../../images/image-field.tsx';
import css from './workspace.module.css';

/** Most images listed. */
const MAX_LISTED = 200;

interface Used {
  readonly source: string;
  readonly cards: number;
  readonly first: string;
  readonly column: string;
}

/** Images that the cards name, most used first; each goes to the first cell that names it. */
export function ImageUse({
  columns,
  cards,
  onGo,
}: {
  columns: readonly TableColumn[];
  cards: readonly WithId<Card>[];
  onGo: (card: string, column: string) => void;
}) {
  const library = useSyncExternalStore(onLibrary, knownLibrary);
  useEffect(() => {
    void readyLibrary();
  }, []);
  const used = useMemo(() => {
    const found = new Map<string, Used>();
    for (const { key } of columns.filter(({ type }) => type === 'image')) {
      for (const card of cards) {
        const source = cellAt(card.cells, key).trim();
        if (source === '') continue;
        const old = found.get(source);
        found.set(
          source,
          old ? { ...old, cards: old.cards + 1 } : { source, cards: 1, first: card.id, column: key },
        );
      }
    }
    return [...found.values()].sort((a, b) => b.cards - a.cards || (a.source < b.source ? -1 : 1));
  }, [columns, cards]);
  if (used.length === 0) return <p className={css.quiet}>These cards use no images yet.</p>;
  return (
    <ul className={css.images}>
      {used.slice(0, MAX_LISTED).map(({ source, cards: count, first, column }) => (
        <li key={source}>
          <button type="button" onClick={() => onGo(first, column)} title={source}>
            <SourceThumbnail source={source} />
            <span>{nameOf(shownName(source, library)) || source}</span>
            <b>{count}</b>
          </button>
        </li>
      ))}
    </ul>
  );
}
