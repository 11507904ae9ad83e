import { Button } from '@mantine/core';
import { Lock, RefreshCw } from 'lucide-react';
import css from './brainstorm.module.css';
import { ideaText, type Piece } from './ideas.ts';

/** An idea that was drawn. */
export interface Idea {
  readonly id: number;
  readonly sentence: string;
  readonly pieces: readonly Piece[];
  /** Numbers of the places whose words stay when the rest is drawn again. */
  readonly locked: ReadonlySet<number>;
}

/** The ideas drawn last, the newest first: its words can be locked, and the rest drawn again. */
export function IdeasPane({
  ideas,
  onLock,
  onRedraw,
}: {
  ideas: readonly Idea[];
  onLock: (place: number) => void;
  onRedraw: () => void;
}) {
  const [newest, ...older] = ideas;
  return (
    <section aria-label="Ideas" aria-live="polite" className={css.ideas}>
      {!newest && (
        <p className={css.none}>
          Press “Draw an idea”. Nothing is thought up by a machine: it is your words, shuffled.
        </p>
      )}
      {newest && (
        <div>
          <p className={css.newest}>
            {newest.pieces.map(({ text, place }, at) =>
              place === null ? (
                // biome-ignore lint/suspicious/noArrayIndexKey: a drawn idea does not change its pieces
                <span key={at}>{text}</span>
              ) : (
                <button
                  // biome-ignore lint/suspicious/noArrayIndexKey: as above
                  key={at}
                  type="button"
                  className={css.word}
                  aria-pressed={newest.locked.has(place)}
                  aria-label={`Lock “${text}”`}
                  onClick={() => onLock(place)}
                >
                  {text}
                  {newest.locked.has(place) && <Lock size={14} aria-hidden />}
                </button>
              ),
            )}
          </p>
          <Button
            size="xs"
            variant="default"
            leftSection={<RefreshCw size={14} aria-hidden />}
            onClick={onRedraw}
          >
            {newest.locked.size === 0 ? 'Draw its words again' : 'Draw the other words again'}
          </Button>
        </div>
      )}
      {older.map(({ id, pieces }) => (
        <p key={id} className={css.idea}>
          {ideaText(pieces)}
        </p>
      ))}
    </section>
  );
}
