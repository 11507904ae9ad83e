import { Button } from '@mantine/core';
import { Heart, Link2, Lock, RefreshCw } from 'lucide-react';
import css from './brainstorm.module.css';
import { ideaText } from './ideas.ts';
import type { Idea } from './use-ideas.ts';

/** The ideas drawn last, the newest first: its words can be locked, and the rest drawn again. */
export function IdeasPane({
  ideas,
  onLock,
  onRedraw,
  onKeep,
  onShare,
}: {
  ideas: readonly Idea[];
  onLock: (place: number) => void;
  onRedraw: () => void;
  /** Left out where nothing can be kept. */
  onKeep: ((text: string) => void) | undefined;
  onShare: (idea: Idea) => void;
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
            <Words idea={newest} onLock={onLock} />
          </p>
          <div className={css.row}>
            <Button
              size="xs"
              variant="default"
              leftSection={<RefreshCw size={14} aria-hidden />}
              onClick={onRedraw}
            >
              {newest.locked.size === 0 ? 'Draw its words again' : 'Draw the other words again'}
            </Button>
            {onKeep && (
              <Button
                size="xs"
                variant="default"
                leftSection={<Heart size={14} aria-hidden />}
                onClick={() => onKeep(ideaText(newest.pieces))}
              >
                Keep it
              </Button>
            )}
            <Button
              size="xs"
              variant="default"
              leftSection={<Link2 size={14} aria-hidden />}
              onClick={() => onShare(newest)}
            >
              Copy a link
            </Button>
          </div>
        </div>
      )}
      {older.map((idea) => {
        const text = ideaText(idea.pieces);
        return (
          <div key={idea.id} className={css.older}>
            <p className={css.idea}>{text}</p>
            {onKeep && (
              <Button size="xs" variant="subtle" aria-label={`Keep “${text}”`} onClick={() => onKeep(text)}>
                <Heart size={15} aria-hidden />
              </Button>
            )}
          </div>
        );
      })}
    </section>
  );
}

function Words({ idea, onLock }: { idea: Idea; onLock: (place: number) => void }) {
  return idea.pieces.map(({ text, place }, at) =>
    place === null ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: a drawn idea does not change its pieces
      <span key={at}>{text}</span>
    ) : (
      <button
        // biome-ignore lint/suspicious/noArrayIndexKey: as above
        key={at}
        type="button"
        className={css.word}
        aria-pressed={idea.locked.has(place)}
        aria-label={`Lock “${text}”`}
        onClick={() => onLock(place)}
      >
        {text}
        {idea.locked.has(place) && <Lock size={14} aria-hidden />}
      </button>
    ),
  );
}
