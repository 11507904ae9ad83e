import { Button, Radio, TagsInput, Textarea } from '@mantine/core';
import { useEffect, useMemo, useState } from 'react';
import {
  type Answer,
  answersTo,
  MAX_PICKED,
  MAX_WORDS,
  type Question,
  STEPS,
} from '../../../../core/play/results/feedback.ts';
import type { TableView } from '../../../../core/play/view/view.ts';
import { type FeedbackForm, feedbackForm, sendFeedback } from '../../../../data/play/feedback.ts';
import { describeError } from '../../../../data/server/messages.ts';
import { Loading, Problem } from '../../../../ui/page/page.tsx';
import { Popup, PopupActions } from '../../../../ui/popups/popup.tsx';
import { toasts } from '../../../../ui/toasts/engine.ts';
import css from '../people/people.module.css';

const SCALE = Array.from({ length: STEPS }, (_, at) => String(at + 1));

interface FeedbackProps {
  readonly table: string;
  readonly view: TableView;
  readonly onClose: () => void;
}

/** The questions of the game's designers, which anybody at the table answers at any time. */
export function FeedbackWindow({ open, ...props }: FeedbackProps & { open: boolean }) {
  return (
    <Popup open={open} onClose={props.onClose} title="Feedback" width={560}>
      <Feedback {...props} />
    </Popup>
  );
}

function Feedback({ table, view, onClose }: FeedbackProps) {
  const [form, setForm] = useState<FeedbackForm>();
  const [answers, setAnswers] = useState<readonly Answer[]>([]);
  const [failure, setFailure] = useState<string>();
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    let current = true;
    feedbackForm(table).then(
      (found) => {
        if (!current) return;
        setForm(found);
        setAnswers(found.answers ?? found.questions.map(() => null));
      },
      (error: unknown) => current && setFailure(describeError(error)),
    );
    return () => {
      current = false;
    };
  }, [table]);
  const cards = useMemo(
    () => [...new Set([...view.faces.values()].map(({ name }) => name))].sort(),
    [view.faces],
  );
  if (!form) return failure ? <Problem title={failure} /> : <Loading label="Loading the questions" />;
  if (form.questions.length === 0) return <p>The designers of this game ask nothing.</p>;
  const isEmpty = answers.every((answer) => answer === null);
  const takeChanges = async () => {
    const found = await feedbackForm(table);
    if (found.rev === form.rev) return;
    setForm(found);
    setAnswers(answersTo(found.questions, form.questions, answers));
  };
  const send = async () => {
    setBusy(true);
    setFailure(undefined);
    try {
      await sendFeedback(table, form.rev, answers);
      toasts.show('Thank you. Your feedback was sent.', { type: 'success' });
      onClose();
    } catch (error) {
      setFailure(describeError(error));
      // The questions may have changed; if they cannot be read either, those of before stay.
      await takeChanges().catch(() => undefined);
      setBusy(false);
    }
  };
  return (
    <form
      className={css.feedback}
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <p>Owners and editors of the game read it, with your name. Answer as much of it as you like.</p>
      {form.questions.map((question, at) => (
        <Field
          // biome-ignore lint/suspicious/noArrayIndexKey: two questions may be alike
          key={at}
          question={question}
          answer={answers[at] ?? null}
          cards={cards}
          onAnswer={(answer) => setAnswers(answers.map((known, index) => (index === at ? answer : known)))}
        />
      ))}
      {failure && <Problem title={failure} />}
      <PopupActions>
        <Button variant="subtle" color="gray" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" loading={busy} disabled={isEmpty}>
          {form.answers ? 'Send again' : 'Send'}
        </Button>
      </PopupActions>
    </form>
  );
}

function Field({
  question,
  answer,
  cards,
  onAnswer,
}: {
  question: Question;
  answer: Answer;
  /** Names of cards that one has seen. */
  cards: readonly string[];
  onAnswer: (answer: Answer) => void;
}) {
  const { ask } = question;
  switch (question.kind) {
    case 'scale':
      return (
        <Radio.Group
          label={ask}
          value={answer === null ? '' : String(answer)}
          onChange={(value) => onAnswer(Number(value))}
        >
          <div className={css.scale}>
            <span>{question.low}</span>
            {SCALE.map((step) => (
              <Radio key={step} value={step} label={step} />
            ))}
            <span>{question.high}</span>
          </div>
        </Radio.Group>
      );
    case 'choice':
      return (
        <Radio.Group label={ask} value={typeof answer === 'string' ? answer : ''} onChange={onAnswer}>
          {question.choices.map((choice) => (
            <Radio key={choice} mt={6} value={choice} label={choice} />
          ))}
        </Radio.Group>
      );
    case 'cards':
      return (
        <TagsInput
          label={ask}
          description="Cards that you have seen, or others by their names."
          data={cards}
          maxTags={MAX_PICKED}
          value={typeof answer === 'object' && answer !== null ? [...answer] : []}
          onChange={(picked) => onAnswer(picked.length === 0 ? null : picked)}
        />
      );
    default:
      return (
        <Textarea
          label={ask}
          autosize
          minRows={2}
          maxRows={8}
          maxLength={MAX_WORDS}
          value={typeof answer === 'string' ? answer : ''}
          onChange={({ currentTarget: { value } }) => onAnswer(value.trim() === '' ? null : value)}
        />
      );
  }
}
