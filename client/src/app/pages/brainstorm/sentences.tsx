import { Button, Textarea } from '@mantine/core';
import { Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { offerUndo } from '../../../ui/toasts/offer-undo.ts';
import css from './brainstorm.module.css';
import { MAX_SENTENCE_LENGTH, MAX_SENTENCES } from './ideas.ts';
import { NewEntry } from './new-entry.tsx';
import type { Lists } from './use-lists.ts';

/** A sentence that is changed: its place when that began, and its words then. */
interface Edited {
  readonly at: number;
  readonly was: string;
}

/** The place of a sentence: others may have come or gone above it. */
const placeOf = (sentences: readonly string[], { at, was }: Edited): number =>
  sentences[at] === was ? at : sentences.indexOf(was);

/** Sentences with another in the place of one, or at the end where that is gone. */
function replaced(sentences: readonly string[], edited: Edited, next: string): readonly string[] {
  const place = placeOf(sentences, edited);
  return place < 0 ? [...sentences, next] : sentences.with(place, next);
}

/** The sentences that ideas are drawn from, which are added, changed and deleted here. */
export function Sentences({ lists }: { lists: Lists }) {
  const { sentences, change } = lists;
  const [editing, setEditing] = useState<Edited>();
  /** The place of the one that was changed last: its button takes the focus back. */
  const [edited, setEdited] = useState<number>();
  const place = editing && placeOf(sentences, editing);
  const leave = () => {
    setEdited(place);
    setEditing(undefined);
  };
  const deleteSentence = (at: number) => {
    const gone = sentences[at] ?? '';
    void change({ sentences: sentences.toSpliced(at, 1) });
    offerUndo('The sentence is deleted.', () => {
      void change((now) => ({ sentences: now.sentences.toSpliced(at, 0, gone) }));
    });
  };
  const addSentence = (typed: string): boolean => {
    if (typed.trim() === '') return false;
    void change((now) => ({ sentences: [...now.sentences, typed.trim()] }));
    return true;
  };
  const editor = editing && (
    <SentenceEditor
      key="editing"
      sentence={editing.was}
      onSave={(next) => {
        leave();
        if (next !== editing.was) {
          void change((now) => ({ sentences: replaced(now.sentences, editing, next) }));
        }
      }}
      onCancel={leave}
    />
  );
  return (
    <section>
      <h2>Sentences</h2>
      <p className={css.help}>
        <code>{'{hero}'}</code> is a word of that list, <code>{'{red|blue}'}</code> one of these,{' '}
        <code>{'{1–6}'}</code> a number; <code>a(n)</code> becomes a or an.
      </p>
      <ul className={css.lists} aria-label="Sentences">
        {sentences.map((one, at) =>
          at === place ? (
            editor
          ) : (
            // biome-ignore lint/suspicious/noArrayIndexKey: two sentences may be equal, and lines keep no state
            <li key={at} className={css.list}>
              <p>{one}</p>
              <span className={css.tools}>
                <Button
                  size="xs"
                  variant="subtle"
                  aria-label={`Edit sentence ${one}`}
                  ref={at === edited ? focus : undefined}
                  onClick={() => setEditing({ at, was: one })}
                >
                  <Pencil size={15} aria-hidden />
                </Button>
                <Button
                  size="xs"
                  variant="subtle"
                  aria-label={`Delete sentence ${one}`}
                  disabled={sentences.length === 1}
                  onClick={() => deleteSentence(at)}
                >
                  <Trash2 size={15} aria-hidden />
                </Button>
              </span>
            </li>
          ),
        )}
        {place === -1 && editor}
      </ul>
      <NewEntry
        label="New sentence"
        placeholder="A game of {mechanism} for {length}"
        maxLength={MAX_SENTENCE_LENGTH}
        button="Add sentence"
        full={sentences.length >= MAX_SENTENCES}
        onAdd={addSentence}
      />
    </section>
  );
}

/** A sentence that is being changed: Enter keeps it, Escape leaves it as it was. */
function SentenceEditor({
  sentence,
  onSave,
  onCancel,
}: {
  sentence: string;
  onSave: (next: string) => void;
  onCancel: () => void;
}) {
  const [text, setText] = useState(sentence);
  const next = text.replace(/\s*\n\s*/g, ' ').trim();
  const save = () => {
    if (next !== '') onSave(next);
  };
  return (
    <li className={css.editor}>
      <Textarea
        label="Sentence"
        ref={focusEnd}
        autosize
        minRows={1}
        maxRows={6}
        maxLength={MAX_SENTENCE_LENGTH}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return;
          if (event.key === 'Enter') save();
          else if (event.key === 'Escape') onCancel();
          else return;
          event.preventDefault();
        }}
      />
      <div className={css.row}>
        <Button size="xs" disabled={next === ''} onClick={save}>
          Keep
        </Button>
        <Button size="xs" variant="subtle" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </li>
  );
}

const focus = (button: HTMLButtonElement | null): void => button?.focus();

/** Puts the cursor behind the text of a field once it is there. */
function focusEnd(field: HTMLTextAreaElement | null): void {
  if (!field) return;
  field.focus();
  field.setSelectionRange(field.value.length, field.value.length);
}
