import { Button, Checkbox, TextInput } from '@mantine/core';
import { Plus } from 'lucide-react';
import { useId, useState } from 'react';
import {
  languageName,
  MAX_LANGUAGES,
  namedLanguage,
  USUAL_LANGUAGES,
} from '../../../core/translation/languages.ts';
import type { Project } from '../../../data/project/open-project.ts';
import { describeError } from '../../../data/server/messages.ts';
import { useKnownLanguages } from '../../../data/translations/known-languages.ts';
import { Loading, Problem } from '../../../ui/page/page.tsx';
import css from './members.module.css';

/** Chooses a translator's languages: those of the project and its rulebooks, and others that are yet to be added. */
export function LanguageChoice({
  project,
  chosen,
  onChange,
}: {
  project: Project;
  chosen: readonly string[];
  onChange: (languages: readonly string[]) => void;
}) {
  const { data: known, error } = useKnownLanguages(project);
  const [others, setOthers] = useState<readonly string[]>([]);
  const [words, setWords] = useState('');
  const [fault, setFault] = useState<string>();
  const choices = useId();
  const shown = [...new Set([...(known ?? []), ...chosen, ...others])].sort((a, b) =>
    languageName(a).localeCompare(languageName(b)),
  );
  const add = () => {
    try {
      const tag = namedLanguage(words);
      if (!chosen.includes(tag) && chosen.length >= MAX_LANGUAGES) {
        setFault(`A translator writes at most ${MAX_LANGUAGES} languages.`);
        return;
      }
      setOthers((before) => [...new Set([...before, tag])]);
      onChange([...new Set([...chosen, tag])]);
      setWords('');
      setFault(undefined);
    } catch (reason) {
      setFault(describeError(reason));
    }
  };
  return (
    <fieldset className={css.languages}>
      <legend>Languages</legend>
      {error && <Problem title={describeError(error)} />}
      {!known && !error && <Loading label="Loading languages" />}
      {known && shown.length === 0 && (
        <p className={css.quiet}>The project has one language so far. Name those that are to come.</p>
      )}
      <div className={css.choices}>
        {shown.map((tag) => (
          <Checkbox
            key={tag}
            size="sm"
            label={languageName(tag)}
            checked={chosen.includes(tag)}
            onChange={({ currentTarget: { checked } }) =>
              onChange(checked ? [...chosen, tag] : chosen.filter((one) => one !== tag))
            }
          />
        ))}
      </div>
      <div className={css.other}>
        <TextInput
          size="sm"
          label="Another language"
          placeholder="German, or a tag such as de-AT"
          value={words}
          error={fault}
          list={choices}
          autoComplete="off"
          maxLength={60}
          onChange={(event) => {
            setWords(event.currentTarget.value);
            setFault(undefined);
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            // The form around it is not sent.
            event.preventDefault();
            if (words.trim() !== '') add();
          }}
        />
        <datalist id={choices}>
          {USUAL_LANGUAGES.filter((tag) => !shown.includes(tag)).map((tag) => (
            <option key={tag} value={languageName(tag)} />
          ))}
        </datalist>
        <Button
          size="sm"
          variant="default"
          leftSection={<Plus size={14} aria-hidden />}
          disabled={words.trim() === ''}
          onClick={add}
        >
          Add
        </Button>
      </div>
    </fieldset>
  );
}
