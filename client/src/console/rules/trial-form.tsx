import { Button, NativeSelect, TextInput } from '@mantine/core';
import { FlaskConical } from 'lucide-react';
import type { FormEvent } from 'react';
import css from './rules.module.css';
import { type Guarded, KINDS, METHODS, type Method, type Trial, writes } from './trial.ts';

/** Example paths, shown in empty fields. */
const EXAMPLES: Record<Guarded, { one: string; many: string }> = {
  firestore: { one: 'users/ann', many: 'users' },
  storage: { one: 'users/ann/cover.png', many: 'users/ann' },
};

/** A request to try: what is asked, of what, and by whom. */
export function TrialForm({
  guarded,
  trial,
  running,
  onChange,
  onRun,
}: {
  guarded: Guarded;
  trial: Trial;
  running: boolean;
  onChange: (part: Partial<Trial>) => void;
  onRun: (event: FormEvent) => void;
}) {
  const { thing, group } = KINDS[guarded];
  const list = trial.method === 'list';
  const replaces = guarded === 'storage' && trial.method === 'create';
  return (
    <form className={css.form} onSubmit={onRun} aria-label="Try a request">
      <div className={css.line}>
        <NativeSelect
          size="xs"
          label="Method"
          data={[...METHODS]}
          value={trial.method}
          onChange={(event) => onChange({ method: event.currentTarget.value as Method })}
        />
        <TextInput
          size="xs"
          label={`Path of the ${list ? group : thing}`}
          placeholder={list ? EXAMPLES[guarded].many : EXAMPLES[guarded].one}
          value={trial.path}
          onChange={(event) => onChange({ path: event.currentTarget.value })}
        />
      </div>
      <div className={css.line}>
        <TextInput
          size="xs"
          label="User id"
          placeholder="nobody signed in"
          value={trial.uid}
          onChange={(event) => onChange({ uid: event.currentTarget.value })}
        />
        <TextInput
          size="xs"
          label="Further claims, as JSON"
          placeholder='{"admin": true}'
          disabled={trial.uid.trim() === ''}
          value={trial.claims}
          onChange={(event) => onChange({ claims: event.currentTarget.value })}
        />
      </div>
      {writes(trial.method) && (
        <label className={css.json}>
          {guarded === 'storage' && trial.method === 'update'
            ? 'What changes of the file'
            : `The ${thing} as it would be`}
          <textarea
            rows={4}
            spellCheck={false}
            value={trial.data}
            onChange={(event) => onChange({ data: event.currentTarget.value })}
          />
        </label>
      )}
      {!list && (replaces || trial.method !== 'create') && (
        <label className={css.json}>
          {`The ${thing} as it is; empty for the stored one`}
          <textarea
            rows={3}
            spellCheck={false}
            value={trial.existing}
            onChange={(event) => onChange({ existing: event.currentTarget.value })}
          />
        </label>
      )}
      <Button
        size="xs"
        type="submit"
        className={css.run ?? ''}
        loading={running}
        leftSection={<FlaskConical size={14} aria-hidden />}
      >
        Try
      </Button>
    </form>
  );
}
