import type {
  NotesDifference,
  PresetDifference,
  SettingsDifference,
} from '../../../../core/versions/difference.ts';
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

export function SettingsDetail({ settings }: { settings: SettingsDifference }) {
  return (
    <DetailFrame
      title="Project"
      kind="Name, description, tags, cover and language"
      restore={<RestorePaths paths={[settings.path]} of="Settings of the project" />}
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
