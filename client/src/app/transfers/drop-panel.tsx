import { BookCopy, Copy, FolderInput, FolderOutput } from 'lucide-react';
import { useEffect, useState } from 'react';
import { describeError } from '../../data/server/messages.ts';
import { Loading } from '../../ui/page/page.tsx';
import type { NamedThings } from './carry-out.ts';
import { dragsThings, useDragged } from './drag.ts';
import { type Target, useTargets } from './targets.ts';
import css from './transfers.module.css';
import { countedThings } from './words.ts';

/** The places to drop things on, while some are dragged. */
export function DropPanel({ onDrop }: { onDrop: (things: NamedThings, to: Target, move: boolean) => void }) {
  const dragged = useDragged();
  return dragged ? <Places key={dragged.from.project ?? ''} things={dragged} onDrop={onDrop} /> : null;
}

function Places({
  things,
  onDrop,
}: {
  things: NamedThings;
  onDrop: (things: NamedThings, to: Target, move: boolean) => void;
}) {
  const { targets, error } = useTargets(things.from);
  const [over, setOver] = useState<string>();
  const [moves, setMoves] = useState(false);
  const { kind, names, mayMove } = things;
  // Keys are told with the drag's own events, wherever the pointer is.
  useEffect(() => {
    const heed = (event: DragEvent) => setMoves(mayMove && event.shiftKey);
    document.addEventListener('dragover', heed);
    return () => document.removeEventListener('dragover', heed);
  }, [mayMove]);
  const what = countedThings(kind, names.size, [...names.values()][0]);
  return (
    <section className={css.panel} aria-label="Places to drop on" data-moves={moves || undefined}>
      <header>
        {moves ? <FolderOutput size={16} aria-hidden /> : <Copy size={16} aria-hidden />}
        <div>
          <strong>
            {moves ? 'Move' : 'Copy'} {what}
          </strong>
          {mayMove && <span>{moves ? 'Let go of Shift to copy' : 'Hold Shift to move'}</span>}
        </div>
      </header>
      {error && <p>{describeError(error)}</p>}
      {!targets && !error && <Loading label="Loading projects" />}
      {targets?.length === 0 && <p>There is no other project that you may change.</p>}
      <ul>
        {targets?.map((target) => (
          <li
            key={target.id}
            data-over={over === target.id || undefined}
            onDragEnter={() => setOver(target.id)}
            onDragOver={(event) => {
              if (!dragsThings(event)) return;
              event.preventDefault();
              event.dataTransfer.dropEffect = mayMove && event.shiftKey ? 'move' : 'copy';
              setOver(target.id);
            }}
            onDragLeave={(event) => {
              if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(undefined);
            }}
            onDrop={(event) => {
              if (!dragsThings(event)) return;
              event.preventDefault();
              onDrop(things, target, mayMove && event.shiftKey);
            }}
          >
            {target.id === '' ? <BookCopy size={18} aria-hidden /> : <FolderInput size={18} aria-hidden />}
            <span>
              <strong title={target.label}>{target.label}</strong>
              <small>{target.audience}</small>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
