import { Button, TextInput } from '@mantine/core';
import { useId, useMemo, useState } from 'react';
import {
  addedLanguage,
  isSameLanguage,
  languageName,
  USUAL_LANGUAGES,
} from '../../core/translation/languages.ts';
import type { TranslationPlace } from '../../data/translations/translation-place.ts';
import { addLanguage } from '../../data/translations/translations.ts';
import { Problem } from '../../ui/page/page.tsx';
import { Popup, PopupActions } from '../../ui/popups/popup.tsx';
import { useAttempt } from '../use-attempt.ts';
import css from './translation.module.css';

interface AddProps {
  readonly place: TranslationPlace;
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

function Add({ place, source, known, onAdded, onClose }: AddProps) {
  const [words, setWords] = useState('');
  const choices = useId();
  const { busy, failure, attempt } = useAttempt();
  const offered = useMemo(
    () => USUAL_LANGUAGES.filter((tag) => ![source, ...known].some((one) => isSameLanguage(one, tag))),
    [source, known],
  );
  const add = () =>
    attempt(async () => {
      const tag = addedLanguage(words, source, known, place.whole);
      await addLanguage(place, tag);
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
        {offered.map((tag) => (
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
