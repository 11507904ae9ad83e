import { Button, NativeSelect } from '@mantine/core';
import { ArrowLeft, ArrowRight, Check, Undo2 } from 'lucide-react';
import { useMemo, useRef, useState } from 'react';
import { setCardStatus } from '../../../data/cards/cards.ts';
import { addComment, useComments } from '../../../data/cards/comments.ts';
import {
  CARD_STATUSES,
  type Card,
  type Component as CardComponent,
  type CardStatus,
  type WithId,
} from '../../../data/documents/documents.ts';
import type { Learning } from '../../../data/learning.ts';
import { edits } from '../../../data/project/members.ts';
import type { Project } from '../../../data/project/open-project.ts';
import { describeError } from '../../../data/server/messages.ts';
import { Problem } from '../../../ui/page/page.tsx';
import { CommentThread } from '../../comments/comment-thread.tsx';
import { useRole } from '../project/project-gate.tsx';
import { CardFace, wordsOf } from './card-face.tsx';
import css from './flashcards.module.css';
import type { Faces } from './use-faces.ts';
import { useKeys } from './use-keys.ts';

/** Reads cards one by one: each is right as it is, or gets a remark, which is a comment on the card. */
export function Proof({
  project,
  component,
  cards,
  facesOf,
  learning,
}: {
  project: Project;
  component: WithId<CardComponent>;
  cards: readonly WithId<Card>[];
  facesOf: (card: WithId<Card>) => Faces;
  learning: Learning;
}) {
  const mayEdit = edits(useRole());
  const comments = useComments(project, component.id);
  // Named and not numbered: the filter may leave other cards out meanwhile.
  const [wanted, setWanted] = useState<string>();
  const [failure, setFailure] = useState<string>();
  const side = useRef<HTMLDivElement>(null);
  // Each card's texts are compared with those that were read: not anew for every key.
  const read = useMemo(
    () => new Set(cards.filter(learning.hasRead).map(({ id }) => id)),
    [cards, learning.hasRead],
  );
  const firstUnread = cards.findIndex(({ id }) => !read.has(id));
  const found = cards.findIndex(({ id }) => id === wanted);
  const place = found >= 0 ? found : Math.max(0, firstUnread);
  const card = cards[place];
  const run = (work: Promise<unknown>) => {
    setFailure(undefined);
    work.catch((error) => setFailure(describeError(error)));
  };
  const step = (by: number) => setWanted(cards[(place + by + cards.length) % cards.length]?.id);
  const isRead = card !== undefined && read.has(card.id);
  const right = () => {
    if (!card) return;
    run(learning.noteRead(card, !isRead));
    if (isRead) return;
    const next = [...cards.slice(place + 1), ...cards.slice(0, place)].find(({ id }) => !read.has(id));
    setWanted(next?.id ?? card.id);
  };
  const setStatus = (status: CardStatus | undefined) => {
    if (card && mayEdit) run(setCardStatus(project, component.id, card.id, status));
  };
  useKeys({
    arrowright: () => step(1),
    arrowleft: () => step(-1),
    o: right,
    r: () => side.current?.querySelector('textarea')?.focus(),
    ...Object.fromEntries(CARD_STATUSES.map((status, at) => [`${at + 1}`, () => setStatus(status)])),
  });
  const faces = card && facesOf(card);
  if (!card || !faces?.front) return <Problem title="The layout of these cards is gone." />;
  const inSight = new Set(cards.map(({ id }) => id));
  const remarks = comments.data?.items.filter((one) => inSight.has(one.card) && !one.resolved).length ?? 0;
  const onCard = comments.data?.items
    .filter((comment) => comment.card === card.id)
    .sort((a, b) => a.createdAt - b.createdAt);
  const problem = comments.error ?? learning.error;
  return (
    <section className={css.proof} aria-label="Proof">
      <div className={css.pile}>
        <CardFace
          layout={faces.front}
          card={card}
          columns={component.columns}
          label={`Card ${place + 1}: ${wordsOf(card, component.columns, place)}`}
        />
        <div className={css.controls}>
          <Button
            variant="default"
            leftSection={<ArrowLeft size={16} aria-hidden />}
            onClick={() => step(-1)}
          >
            Previous
          </Button>
          <span>
            {place + 1} of {cards.length}
          </span>
          <Button
            variant="default"
            rightSection={<ArrowRight size={16} aria-hidden />}
            onClick={() => step(1)}
          >
            Next
          </Button>
        </div>
      </div>
      <div ref={side} className={css.side}>
        <p role="status">
          <b>
            {read.size} of {cards.length}
          </b>{' '}
          read, {remarks} {remarks === 1 ? 'remark' : 'remarks'}
        </p>
        {failure && <Problem title={failure} />}
        <div className={css.row}>
          <Button
            disabled={!learning.loaded}
            variant={isRead ? 'default' : 'filled'}
            leftSection={isRead ? <Undo2 size={16} aria-hidden /> : <Check size={16} aria-hidden />}
            onClick={right}
          >
            {isRead ? 'Not read after all' : 'Right as it is'}
          </Button>
          <NativeSelect
            aria-label="Status"
            value={card.status ?? ''}
            disabled={!mayEdit}
            data={[{ value: '', label: 'No status' }, ...CARD_STATUSES]}
            onChange={(event) =>
              setStatus(CARD_STATUSES.find((status) => status === event.currentTarget.value))
            }
          />
        </div>
        <p className={css.quiet}>
          <kbd>O</kbd> is right as it is, <kbd>R</kbd> writes a remark, <kbd>1</kbd>–<kbd>5</kbd> set the
          status. A card that changes is to be read again.
        </p>
        <CommentThread
          key={card.id}
          project={project}
          list={onCard}
          problem={problem ? describeError(problem) : undefined}
          none="Nobody has said anything about this card."
          label="Your remark"
          onSend={(text) => addComment(project, { component: component.id, card: card.id, text })}
        />
      </div>
    </section>
  );
}
