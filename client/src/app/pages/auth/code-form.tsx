import { Button, Select, TextInput } from '@mantine/core';
import type { MultiFactorResolver } from '@sdk/auth';
import { useState } from 'react';
import { describeError } from '../../../data/messages.ts';
import { showCode } from '../../../data/sign-in-again.ts';
import { Problem } from '../../../ui/page.tsx';
import { useSubmit } from '../../shell/use-submit.ts';
import { formClass } from './auth-page.tsx';

/** Longest code that is sent; authenticator apps show six to eight digits. */
const MAX_CODE_LENGTH = 8;

/** Asks for the code of an authenticator app: the second step of a sign-in. */
export function CodeForm({
  waiting,
  submitLabel,
  onDone,
  onBack,
}: {
  waiting: MultiFactorResolver;
  submitLabel: string;
  onDone: () => void;
  /** Leaves the sign-in, or begins it again. */
  onBack: { readonly label: string; readonly run: () => void };
}) {
  const apps = waiting.hints.filter(({ factorId }) => factorId === 'totp');
  const [factor, setFactor] = useState(apps[0]?.uid ?? '');
  const [code, setCode] = useState('');
  const { busy, failure, submit } = useSubmit(
    async () => {
      await showCode(waiting, factor, code);
      onDone();
    },
    (error) => {
      setCode('');
      return describeError(error);
    },
  );
  if (apps.length === 0) {
    return (
      <Problem title="This account’s second step is a text message, which this page cannot ask for. Ask whoever runs this server." />
    );
  }
  return (
    <form className={formClass} onSubmit={submit}>
      {failure && <Problem title={failure} />}
      {apps.length > 1 && (
        <Select
          label="Authenticator app"
          data={apps.map(({ uid, displayName }) => ({ value: uid, label: displayName || 'Unnamed app' }))}
          value={factor}
          allowDeselect={false}
          onChange={(next) => setFactor(next ?? factor)}
        />
      )}
      <TextInput
        label="Code"
        description={
          apps.length > 1
            ? 'As the app shows it now'
            : `As “${apps[0]?.displayName || 'your authenticator app'}” shows it now`
        }
        inputMode="numeric"
        autoComplete="one-time-code"
        autoFocus
        data-autofocus
        value={code}
        onChange={(event) => setCode(event.currentTarget.value.replace(/\D/g, '').slice(0, MAX_CODE_LENGTH))}
      />
      <Button type="submit" size="md" fullWidth loading={busy} disabled={code === ''}>
        {submitLabel}
      </Button>
      <Button variant="subtle" color="gray" disabled={busy} onClick={onBack.run}>
        {onBack.label}
      </Button>
    </form>
  );
}
