import { Button } from '@mantine/core';
import { useState } from 'react';
import { checkSourceLanguage } from '../../../../core/translation/languages.ts';
import type { RulebookDocument, WithId } from '../../../../data/documents/documents.ts';
import type { Project } from '../../../../data/project/open-project.ts';
import { describeRulebook, type RulebookFields as Fields } from '../../../../data/rulebooks/rulebooks.ts';
import { Problem } from '../../../../ui/page/page.tsx';
import { Popup, PopupActions } from '../../../../ui/popups/popup.tsx';
import { useAttempt } from '../../../use-attempt.ts';
import css from '../rulebook.module.css';
import { RulebookFields } from './rulebook-fields.tsx';

/** Title, page, house style and language of a rulebook. */
export function SettingsWindow({
  open,
  project,
  rulebook,
  translations,
  onClose,
}: {
  open: boolean;
  project: Project;
  rulebook: WithId<RulebookDocument>;
  /** Languages that it is translated into. */
  translations: readonly string[];
  onClose: () => void;
}) {
  return (
    <Popup open={open} onClose={onClose} title="Settings of the rulebook">
      <Settings project={project} rulebook={rulebook} translations={translations} onClose={onClose} />
    </Popup>
  );
}

function Settings({
  project,
  rulebook,
  translations,
  onClose,
}: {
  project: Project;
  rulebook: WithId<RulebookDocument>;
  translations: readonly string[];
  onClose: () => void;
}) {
  const { title, subtitle, language, format, style } = rulebook;
  const [value, setValue] = useState<Fields>({ title, subtitle, language, format, style });
  const { busy, failure, attempt } = useAttempt();
  const save = async () => {
    await attempt(async () => {
      if (value.language !== language) checkSourceLanguage(value.language, translations);
      await describeRulebook(project, rulebook.id, { ...value, title: value.title.trim() });
      onClose();
    });
  };
  return (
    <form
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      {failure && <Problem title={failure} />}
      <RulebookFields value={value} onChange={(change) => setValue({ ...value, ...change })} />
      <PopupActions>
        <Button variant="subtle" color="gray" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" loading={busy} disabled={value.title.trim() === ''}>
          Save
        </Button>
      </PopupActions>
    </form>
  );
}
