import { Button, NativeSelect } from '@mantine/core';
import { Check, Eye, PartyPopper, RotateCcw } from 'lucide-react';
import { useMemo, useState } from 'react';
import { nameColumn, plainText } from '../../../core/imposition/job/card-name.ts';
import { BOXES, boxCounts, dayOf, dueCards } from '../../../core/learning/leitner.ts';
import { cellAt } from '../../../core/records.ts';
import type { Card, Component as CardComponent, WithId } from '../../../data/documents/documents.ts';
import type { Learning } from '../../../data/learning.ts';
import { describeError } from '../../../data/server/messages.ts';
import { EmptyState, Loading, Placeholder, Problem } from '../../../ui/page/page.tsx';
import { CardFace, wordColumns, wordsOf } from './card-face.tsx';
import css from './flashcards.module.css';
import { SwipeArea } from './swipe-area.tsx';
import { useCovers } from './use-covers.ts';
import type { Faces } from './use-faces.ts';
import { useKeys } from './use-keys.ts';
import { useSitting } from './use-sitting.ts';
import { HideZones } from './zones-dialog.tsx';

/** Stands for the whole card where a column could. */
const WHOLE_CARD = '';

/** Meanings of the swipes of an answer. */
const SWIPES = { left: 'Again', right: 'Known' } as const;

/** Height of the question, the choice of columns and the boxes, in CSS pixels. */
const ROUND_THE_ANSWER_PX = 190;

/** Asks a column of each card and answers with another, or with the card. */
export function Learn({
  component,
  cards,
  facesOf,
  learning,
}: {
  component: WithId<CardComponent>;
  cards: readonly WithId<Card>[];
  facesOf: (card: WithId<Card>) => Faces;
  learning: Learning;
}) {
  const columns = wordColumns(component.columns);
  const painted = component.layoutId !== null;
  const [asked, setAsked] = useState(() => nameColumn(columns)?.key ?? '');
  const [answer, setAnswer] = useState(() =>
    painted ? WHOLE_CARD : (columns.find(({ key }) => key !== nameColumn(columns)?.key)?.key ?? ''),
  );
  const choices = columns.map(({ key, name }) => ({ value: key, label: name }));
  if (learning.error) return <Problem title={describeError(learning.error)} />;
  if (columns.length === 0) return <Problem title="These cards have no column that could be asked." />;
  return (
    <>
      <div className={css.filters}>
        <NativeSelect
          label="Ask"
          value={asked}
          data={[...choices, ...(painted ? [{ value: WHOLE_CARD, label: 'The covered card' }] : [])]}
          onChange={(event) => setAsked(event.currentTarget.value)}
        />
        <NativeSelect
          label="Answer"
          value={answer}
          data={[...(painted ? [{ value: WHOLE_CARD, label: 'The whole card' }] : []), ...choices]}
          onChange={(event) => setAnswer(event.currentTarget.value)}
        />
      </div>
      {learning.loaded ? (
        <Questions {...{ component, cards, facesOf, learning, asked, answer }} />
      ) : (
        <>
          <Loading label="Loading what you know" />
          <Placeholder height={360} radius={16} />
        </>
      )}
    </>
  );
}

function Questions({
  component,
  cards,
  facesOf,
  learning,
  asked,
  answer,
}: {
  component: WithId<CardComponent>;
  cards: readonly WithId<Card>[];
  facesOf: (card: WithId<Card>) => Faces;
  learning: Learning;
  asked: string;
  answer: string;
}) {
  const [open, setOpen] = useState<string>();
  const [failure, setFailure] = useState<string>();
  const askable = useMemo(
    () =>
      cards
        .filter(({ cells }) => asked === WHOLE_CARD || cellAt(cells, asked).trim() !== '')
        .map(({ id }) => id),
    [cards, asked],
  );
  const { marks, order, answer: note } = useSitting(learning);
  const due = dueCards(askable, marks, dayOf(new Date()), order);
  const card = cards.find(({ id }) => id === due[0]);
  // Answered once, a card may be asked again at once: the question is closed then.
  const shown = card !== undefined && open === card.id;
  const reply = (known: boolean) => {
    if (!card || !shown) return;
    setOpen(undefined);
    setFailure(undefined);
    note(card.id, known).catch((error) => setFailure(describeError(error)));
  };
  useKeys({
    ' ': () => setOpen(card?.id),
    arrowright: () => reply(true),
    arrowleft: () => reply(false),
  });
  const counts = boxCounts(askable, marks);
  const faces = card && facesOf(card);
  const covers = useCovers(faces?.front, learning);
  return (
    <section className={css.pile} aria-label="Question">
      {failure && <Problem title={failure} />}
      {!card && (
        <EmptyState icon={<PartyPopper size={26} />} title="Nothing more today">
          {askable.length === 0
            ? 'No card has anything in this column.'
            : 'Cards come back when their day has come; the better you know one, the later.'}
        </EmptyState>
      )}
      {card && faces && (
        <>
          <SwipeArea words={SWIPES} onSwipe={shown ? (swipe) => reply(swipe === 'right') : undefined}>
            {asked !== WHOLE_CARD && <p className={css.question}>{plainText(cellAt(card.cells, asked))}</p>}
            {asked === WHOLE_CARD && faces.front && !(shown && answer === WHOLE_CARD) && (
              <CardFace
                layout={covers.over(faces.front)}
                card={card}
                columns={component.columns}
                label={`Question: ${covers.words(card, component.columns, cards.indexOf(card))}`}
                below={ROUND_THE_ANSWER_PX}
              />
            )}
            {shown && <Answer component={component} card={card} faces={faces} column={answer} />}
            {!shown && asked !== WHOLE_CARD && <div className={css.hidden}>?</div>}
          </SwipeArea>
          {asked === WHOLE_CARD && covers.count === 0 && (
            <p className={css.quiet}>Nothing is hidden yet: choose the zones that you want to be asked.</p>
          )}
          {shown && (
            <p className={`${css.quiet} ${css.swipeHint}`}>Swipe right if you knew it, left if not.</p>
          )}
          <div className={css.controls}>
            {asked === WHOLE_CARD && faces.front && (
              <HideZones front={faces.front} count={covers.count} learning={learning} />
            )}
            {shown ? (
              <>
                <Button
                  variant="default"
                  leftSection={<RotateCcw size={16} aria-hidden />}
                  onClick={() => reply(false)}
                >
                  Again
                </Button>
                <Button leftSection={<Check size={16} aria-hidden />} onClick={() => reply(true)}>
                  Known
                </Button>
              </>
            ) : (
              <Button leftSection={<Eye size={16} aria-hidden />} onClick={() => setOpen(card.id)}>
                Show the answer
              </Button>
            )}
          </div>
        </>
      )}
      <p role="status" className={css.quiet}>
        {due.length} left today
      </p>
      <ul className={css.boxes} aria-label="Boxes">
        {counts.map((count, box) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a box is its number
          <li key={box}>
            <b>{count}</b> {box === 0 ? 'new' : box === BOXES ? `in box ${box}, known well` : `in box ${box}`}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Answer({
  component,
  card,
  faces,
  column,
}: {
  component: WithId<CardComponent>;
  card: WithId<Card>;
  faces: Faces;
  column: string;
}) {
  if (column !== WHOLE_CARD || !faces.front) {
    const text = column === WHOLE_CARD ? wordsOf(card, component.columns, 0) : cellAt(card.cells, column);
    return <p className={css.answer}>{plainText(text) || 'Nothing.'}</p>;
  }
  return (
    <CardFace
      layout={faces.front}
      card={card}
      columns={component.columns}
      label={`Answer: ${wordsOf(card, component.columns, 0)}`}
      below={ROUND_THE_ANSWER_PX}
    />
  );
}
