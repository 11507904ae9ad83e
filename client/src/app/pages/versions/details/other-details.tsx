import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { projectFactsSchema } from '../../../../core/archive/bundle.ts';
import type {
  NotesDifference,
  PresetDifference,
  SettingsDifference,
} from '../../../../core/versions/difference.ts';
import type { FieldChange } from '../../../../core/versions/field-changes.ts';
import { edits } from '../../../../data/project/members.ts';
import { describeProject } from '../../../../data/project/projects.ts';
import { compareAgain } from '../../../../data/versions/queries.ts';
import { offerUndo } from '../../../../ui/toasts/offer-undo.ts';
import { tellFailure } from '../../../shell/tell-failure.ts';
import { useOpenProject } from '../../project/project-gate.tsx';
import css from '../comparison.module.css';
import { DetailFrame, RestorePaths } from './detail-frame.tsx';
import { FieldRows } from './field-rows.tsx';
import { Words } from './words.tsx';

export function NotesDetail({ notes }: { notes: NotesDifference }) {
  return (
    <DetailFrame
      title="Notes"
      kind="Changed notes"
      restore={<RestorePaths paths={[notes.path]} of="Notes" />}
    >
      <p className={css.words}>
        <Words before={notes.before} after={notes.after} />
      </p>
    </DetailFrame>
  );
}

const PRESETS: Readonly<Record<PresetDifference['change'], string>> = {
  added: 'New print settings',
  removed: 'Print settings that are gone',
  changed: 'Changed print settings',
};

export function PresetDetail({ preset }: { preset: PresetDifference }) {
  const { name, path, change } = preset;
  return (
    <DetailFrame title={name} kind={PRESETS[change]} restore={<RestorePaths paths={[path]} of={name} />}>
      <p className={css.hint}>Settings that a print of the project begins with.</p>
    </DetailFrame>
  );
}

/** Fields as a project's own document is described; those of one that cannot be read stay as they are. */
function factsOf(fields: readonly FieldChange[], side: 'before' | 'after') {
  const facts = projectFactsSchema.partial();
  const given = Object.fromEntries(
    fields.flatMap(({ field, [side]: value }) => (value === undefined ? [] : [[field, value]])),
  );
  const read = facts.safeParse(given);
  if (!read.success) return {};
  return Object.fromEntries(Object.entries(read.data).filter(([name]) => Object.hasOwn(given, name)));
}

export function SettingsDetail({ settings }: { settings: SettingsDifference }) {
  const { project, role } = useOpenProject();
  const client = useQueryClient();
  const [busy, setBusy] = useState(false);
  const write = (side: 'before' | 'after') =>
    describeProject(project, factsOf(settings.fields, side)).then(() => compareAgain(client, project));
  const restore = () => {
    setBusy(true);
    write('before')
      .then(
        () => offerUndo('The project’s settings are restored.', () => void write('after').catch(tellFailure)),
        tellFailure,
      )
      .finally(() => setBusy(false));
  };
  return (
    <DetailFrame
      title="Project"
      kind="Name, description, tags, cover and language"
      restore={
        edits(role) && (
          <Button
            size="xs"
            variant="default"
            loading={busy}
            aria-label="Restore the project’s settings"
            leftSection={<RotateCcw size={15} aria-hidden />}
            onClick={restore}
          >
            Restore
          </Button>
        )
      }
    >
      <FieldRows fields={settings.fields} />
    </DetailFrame>
  );
}

/** Most paths named. */
const MAX_NAMED = 50;

export function UnknownDetail({ paths }: { paths: readonly string[] }) {
  return (
    <DetailFrame title="What this page does not know" kind="Made by another version of the program">
      <p className={css.hint}>Restoring everything restores these too.</p>
      <ul>
        {paths.slice(0, MAX_NAMED).map((path) => (
          <li key={path}>{path}</li>
        ))}
        {paths.length > MAX_NAMED && <li>and {paths.length - MAX_NAMED} more</li>}
      </ul>
    </DetailFrame>
  );
}
