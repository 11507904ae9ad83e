import { Button, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import {
  MAX_CHOICE,
  MAX_CHOICES,
  MAX_QUESTION,
  MAX_QUESTIONS,
  type Question,
  type QuestionKind,
} from '../../../core/play/results/feedback.ts';
import { setFeedbackForm } from '../../../data/play/feedback.ts';
import { Problem } from '../../../ui/page/page.tsx';
import { Popup, PopupActions } from '../../../ui/popups/popup.tsx';
import { useAttempt } from '../../use-attempt.ts';
import css from './results.module.css';

const KINDS: readonly { readonly value: QuestionKind; readonly label: string }[] = [
  { value: 'scale', label: 'From 1 to 5' },
  { value: 'choice', label: 'One of several' },
  { value: 'text', label: 'In words' },
  { value: 'cards', label: 'Cards that were seen' },
];

const isKind = (kind: string): kind is QuestionKind => KINDS.some(({ value }) => value === kind);

function ofKind(ask: string, kind: QuestionKind): Question {
  if (kind === 'scale') return { ask, kind, low: 'Not at all', high: 'Very much' };
  if (kind === 'choice') return { ask, kind, choices: ['Yes', 'No'] };
  return { ask, kind };
}

interface QuestionsProps {
  readonly project: string;
  readonly questions: readonly Question[];
  /** True if they have changed. */
  readonly onClose: (changed: boolean) => void;
}

/** The questions that a game's players are asked. */
export function QuestionsWindow({ open, ...props }: QuestionsProps & { open: boolean }) {
  return (
    <Popup open={open} onClose={() => props.onClose(false)} title="Questions to players" width={620}>
      <Questions {...props} />
    </Popup>
  );
}

function Questions({ project, questions: before, onClose }: QuestionsProps) {
  // Keys stay with their questions: the field of choices keeps the text that is being typed.
  const [asked, setAsked] = useState(() => before.map((question, key) => ({ key, question })));
  const { busy, failure, attempt } = useAttempt();
  const save = async () => {
    await attempt(async () => {
      await setFeedbackForm(
        project,
        asked.map(({ question }) => question),
      );
      onClose(true);
    });
  };
  return (
    <form
      className={css.questions}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <p className={css.quiet}>Answers that were given stay with the questions that were asked then.</p>
      {asked.map(({ key, question }, at) => (
        <QuestionFields
          key={key}
          nth={at + 1}
          question={question}
          onChange={(next) =>
            setAsked(asked.map((known) => (known.key === key ? { key, question: next } : known)))
          }
          onRemove={() => setAsked(asked.filter((known) => known.key !== key))}
        />
      ))}
      <Button
        variant="default"
        leftSection={<Plus size={16} aria-hidden />}
        disabled={asked.length >= MAX_QUESTIONS}
        onClick={() => {
          const key = 1 + Math.max(-1, ...asked.map((known) => known.key));
          setAsked([...asked, { key, question: ofKind('', 'scale') }]);
        }}
      >
        Add a question
      </Button>
      {failure && <Problem title={failure} />}
      <PopupActions>
        <Button variant="subtle" color="gray" onClick={() => onClose(false)}>
          Cancel
        </Button>
        <Button type="submit" loading={busy}>
          Save
        </Button>
      </PopupActions>
    </form>
  );
}

function QuestionFields({
  nth,
  question,
  onChange,
  onRemove,
}: {
  nth: number;
  question: Question;
  onChange: (question: Question) => void;
  onRemove: () => void;
}) {
  return (
    <fieldset className={css.question}>
      <legend>Question {nth}</legend>
      <TextInput
        label="Question"
        required
        maxLength={MAX_QUESTION}
        value={question.ask}
        onChange={({ currentTarget: { value } }) => onChange({ ...question, ask: value })}
      />
      <NativeSelect
        label="Answer"
        value={question.kind}
        data={[...KINDS]}
        onChange={({ currentTarget: { value } }) => isKind(value) && onChange(ofKind(question.ask, value))}
      />
      {question.kind === 'scale' && (
        <>
          <TextInput
            label="1 means"
            maxLength={MAX_CHOICE}
            value={question.low}
            onChange={({ currentTarget: { value } }) => onChange({ ...question, low: value })}
          />
          <TextInput
            label="5 means"
            maxLength={MAX_CHOICE}
            value={question.high}
            onChange={({ currentTarget: { value } }) => onChange({ ...question, high: value })}
          />
        </>
      )}
      {question.kind === 'choice' && (
        <Textarea
          className={css.whole ?? ''}
          label={`Choices, one a line (2 to ${MAX_CHOICES})`}
          rows={4}
          defaultValue={question.choices.join('\n')}
          onChange={({ currentTarget: { value } }) => {
            const choices = [...new Set(value.split('\n').map((line) => line.trim()))].filter(Boolean);
            onChange({ ...question, choices });
          }}
        />
      )}
      <Button
        variant="subtle"
        color="gray"
        size="compact-sm"
        leftSection={<Trash2 size={15} aria-hidden />}
        onClick={onRemove}
      >
        Remove question {nth}
      </Button>
    </fieldset>
  );
}
