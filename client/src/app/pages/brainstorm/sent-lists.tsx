import { Button } from '@mantine/core';
import { randomFrom } from '../../../core/random.ts';
import { Problem } from '../../../ui/page/page.tsx';
import { toasts } from '../../../ui/toasts/engine.ts';
import css from './brainstorm.module.css';
import { drawIdea, ideaText, MAX_GENERATORS, MAX_SENTENCES } from './ideas.ts';
import { type Shared, withSent } from './share.ts';
import type { Lists } from './use-lists.ts';

/** The idea that a link shows, drawn as it was where it came from. */
const ideaOf = ({ idea, generators }: Shared): string | undefined =>
  idea && ideaText(drawIdea(idea.sentence, generators, randomFrom(idea.seed), new Map(idea.locked)));

/** Lists and sentences that came by a link, which can be taken among one's own. */
export function SentLists({
  shared,
  lists,
  onKeep,
  onClose,
}: {
  /** `undefined` for a link that cannot be read. */
  shared: Shared | undefined;
  lists: Lists;
  /** Left out where nothing can be kept. */
  onKeep: ((text: string) => void) | undefined;
  onClose: () => void;
}) {
  const close = (
    <Button size="xs" variant="subtle" onClick={onClose}>
      Close
    </Button>
  );
  if (!shared) {
    return (
      <Problem title="This link holds no lists that can be read." action={close}>
        Some of it may be missing: ask for it again.
      </Problem>
    );
  }
  const idea = ideaOf(shared);
  const add = async () => {
    const { generators, sentences } = withSent(lists, shared);
    const all = generators.length <= MAX_GENERATORS && sentences.length <= MAX_SENTENCES;
    const stored = await lists.change((now) => {
      const both = withSent(now, shared);
      return {
        generators: both.generators.slice(0, MAX_GENERATORS),
        sentences: both.sentences.slice(0, MAX_SENTENCES),
      };
    });
    if (!stored) return;
    if (!all) toasts.show('Not all of it found room beside your own lists.', { type: 'warning' });
    onClose();
  };
  return (
    <section aria-label="Sent to you" className={css.sent}>
      <h2>{idea === undefined ? 'Lists for you' : 'An idea for you'}</h2>
      {idea !== undefined && <p className={css.newest}>{idea}</p>}
      <p className={css.note}>
        {shared.generators.map(({ name, words }) => `${name} (${words.length})`).join(', ')}
      </p>
      <div className={css.row}>
        <Button size="xs" onClick={() => void add()}>
          Add to my lists
        </Button>
        {idea !== undefined && onKeep && (
          <Button size="xs" variant="default" onClick={() => onKeep(idea)}>
            Keep it
          </Button>
        )}
        {close}
      </div>
    </section>
  );
}
