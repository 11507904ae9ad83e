import { Button, TextInput } from '@mantine/core';
import { Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { languageName } from '../../core/translation/languages.ts';
import { MAX_TERM, newTerm, type Term } from '../../core/translation/terms.ts';
import type { Entry } from '../../core/translation/translation.ts';
import type { TranslationPlace } from '../../data/translations/translation-place.ts';
import { saveEntries } from '../../data/translations/translations.ts';
import { Problem } from '../../ui/page/page.tsx';
import { offerUndo } from '../../ui/toasts/offer-undo.ts';
import { tellFailure } from '../shell/tell-failure.ts';
import { useAttempt } from '../use-attempt.ts';
import css from './translation.module.css';

interface TermsProps {
  /** Translations of the project. */
  readonly place: TranslationPlace;
  readonly language: string;
  readonly from: string;
  readonly terms: readonly Term[];
  readonly mayEdit: boolean;
}

/** The terms of a project with their translations into a language. */
export function TermsPanel({ place, language, from, terms, mayEdit }: TermsProps) {
  const [added, setAdded] = useState(0);
  const store = (changes: readonly (readonly [string, Entry | null])[]) =>
    saveEntries(place, language, new Map(changes));
  const change = async ({ id, source, text: was }: Term, text: string): Promise<void> => {
    const words = text.trim();
    if (words === (was ?? '')) return;
    await store([[id, words === '' ? null : { source, text: words }]]).then((before) => {
      // A term that no language translates is a term no longer.
      if (words !== '') return;
      offerUndo(`“${source}” has no translation into ${languageName(language)} any longer.`, () => {
        store([[id, before.get(id) ?? null]]).catch(tellFailure);
      });
    }, tellFailure);
  };
  return (
    <section className={css.terms} aria-label="Terms">
      <h2>Terms</h2>
      <p className={css.count}>
        Words with one translation each. Texts that translate them in another way are marked, as are those
        that call a card by another name.
      </p>
      {terms.length > 0 && (
        <ul>
          {terms.map((term) => (
            <li key={term.id}>
              <span lang={from}>{term.source}</span>
              <TermField
                term={term}
                language={language}
                mayEdit={mayEdit}
                onChange={(text) => change(term, text)}
              />
            </li>
          ))}
        </ul>
      )}
      {mayEdit && (
        <NewTerm
          // A form that was sent is done: the next term gets one of its own.
          key={added}
          again={added > 0}
          terms={terms}
          onAdd={async (id, entry) => {
            await store([[id, entry]]);
            setAdded(added + 1);
          }}
        />
      )}
    </section>
  );
}

/** The translation of a term. What is typed stays until it is stored, whatever others store meanwhile. */
function TermField({
  term,
  language,
  mayEdit,
  onChange,
}: {
  term: Term;
  language: string;
  mayEdit: boolean;
  onChange: (text: string) => Promise<void>;
}) {
  const [typed, setTyped] = useState<string>();
  const store = async (text: string): Promise<void> => {
    await onChange(text);
    setTyped((now) => (now === text ? undefined : now));
  };
  return (
    <>
      <TextInput
        size="xs"
        aria-label={`Translation of the term ${term.source}`}
        value={typed ?? term.text ?? ''}
        placeholder="Missing"
        lang={language}
        dir="auto"
        maxLength={MAX_TERM}
        readOnly={!mayEdit}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onBlur={() => typed !== undefined && void store(typed)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') event.currentTarget.blur();
        }}
      />
      {mayEdit && term.text !== undefined && (
        <button
          type="button"
          className={css.tool}
          aria-label={`Remove the term ${term.source}`}
          // The field keeps the focus: what was typed in it is not stored on the way to its removal.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => {
            setTyped('');
            void store('');
          }}
        >
          <Trash2 size={14} aria-hidden />
        </button>
      )}
    </>
  );
}

function NewTerm({
  again,
  terms,
  onAdd,
}: {
  /** True after another term was added: the cursor stays in the form. */
  again: boolean;
  terms: readonly Term[];
  onAdd: (id: string, entry: Entry) => Promise<unknown>;
}) {
  const [source, setSource] = useState('');
  const [text, setText] = useState('');
  const { busy, failure, attempt } = useAttempt();
  const add = () =>
    attempt(async () => {
      const { id, entry } = newTerm(source, text, terms);
      await onAdd(id, entry);
    });
  return (
    <form
      className={css.newTerm}
      onSubmit={(event) => {
        event.preventDefault();
        void add();
      }}
    >
      {failure && <Problem title={failure} />}
      <TextInput
        size="xs"
        label="Term"
        autoFocus={again}
        value={source}
        maxLength={MAX_TERM}
        onChange={(event) => setSource(event.currentTarget.value)}
      />
      <TextInput
        size="xs"
        label="Translation"
        value={text}
        maxLength={MAX_TERM}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Button
        type="submit"
        size="xs"
        variant="default"
        loading={busy}
        leftSection={<Plus size={14} aria-hidden />}
      >
        Add a term
      </Button>
    </form>
  );
}
