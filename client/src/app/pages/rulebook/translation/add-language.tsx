import { Button, TextInput } from '@mantine/core';
import { useId, useState } from 'react';
import {
  languageName,
  languageTag,
  MAX_LANGUAGES,
  USUAL_LANGUAGES,
} from '../../../../core/book/translation/languages.ts';
import type { Project } from '../../../../data/project/open-project.ts';
import { addLanguage } from '../../../../data/rulebooks/translations.ts';
import { Problem } from '../../../../ui/page.tsx';
import { Popup, PopupActions } from '../../../../ui/popups/popup.tsx';
import { useAttempt } from '../../../use-attempt.ts';
import css from './translation.module.css';

interface AddProps {
  readonly project: Project;
  readonly rulebook: string;
  /** Language of the text, and those that it is translated into. */
  readonly source: string;
  readonly known: readonly string[];
  readonly onAdded: (language: string) => void;
  readonly onClose: () => void;
}

/** Begins a translation into another language. */
export function AddLanguage({ open, ...props }: AddProps & { open: boolean }) {
  return (
    <Popup open={open} onClose={props.onClose} title="Add a language" width={460}>
      <Add {...props} />
    </Popup>
  );
}

/** The tag of a language by its English name or its tag. @throws RulebookError for what is neither */
function tagOf(words: string): string {
  const wanted = words.trim().toLowerCase();
  const usual = USUAL_LANGUAGES.find((tag) => languageName(tag).toLowerCase() === wanted);
  return usual ?? languageTag(words);
}

function Add({ project, rulebook, source, known, onAdded, onClose }: AddProps) {
  const [words, setWords] = useState('');
  const choices = useId();
  const { busy, failure, attempt } = useAttempt();
  const taken = new Set([source.toLowerCase(), ...known]);
  const add = () =>
    attempt(async () => {
      const tag = tagOf(words);
      if (tag === source.toLowerCase()) {
        throw new Error('The rulebook itself is in this language: its settings say so.');
      }
      if (taken.has(tag)) throw new Error(`${languageName(tag)} is there already: choose it above the text.`);
      if (known.length >= MAX_LANGUAGES)
        throw new Error(`A rulebook has at most ${MAX_LANGUAGES} translations.`);
      await addLanguage(project, rulebook, tag);
      onAdded(tag);
      onClose();
    });
  return (
    <form
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault();
        void add();
      }}
    >
      {failure && <Problem title={failure} />}
      <TextInput
        label="Language"
        description="Its English name, or its tag such as de-AT."
        placeholder="German"
        value={words}
        onChange={(event) => setWords(event.currentTarget.value)}
        list={choices}
        autoComplete="off"
        data-autofocus
        maxLength={60}
      />
      <datalist id={choices}>
        {USUAL_LANGUAGES.filter((tag) => !taken.has(tag)).map((tag) => (
          <option key={tag} value={languageName(tag)} />
        ))}
      </datalist>
      <PopupActions>
        <Button variant="subtle" color="gray" onClick={onClose} disabled={busy}>
          Cancel
        </Button>
        <Button type="submit" loading={busy} disabled={words.trim() === ''}>
          Add
        </Button>
      </PopupActions>
    </form>
  );
}
