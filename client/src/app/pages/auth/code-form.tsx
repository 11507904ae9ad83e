import { Button, Select, TextInput } from '@mantine/core';
import type { MultiFactorResolver } from '@sdk/auth';
import { useState } from 'react';
import { isolated } from '../../../core/text/names.ts';
import { showCode, showRecoveryCode } from '../../../data/account/sign-in-again.ts';
import { describeError } from '../../../data/server/messages.ts';
import { Problem } from '../../../ui/page/page.tsx';
import { useSubmit } from '../../shell/use-submit.ts';
import { formClass } from './auth-page.tsx';

/** Longest code that is sent; authenticator apps show six to eight digits. */
const MAX_CODE_LENGTH = 8;

/** Longest recovery code as people type it, with its hyphens and some spaces. */
const MAX_RECOVERY_LENGTH = 20;

const WRONG_RECOVERY = 'This is none of your recovery codes, or it was used already.';

const isWrongCode = (error: unknown) =>
  error instanceof Error && (error as { code?: unknown }).code === 'auth/invalid-verification-code';

interface FormProps {
  readonly waiting: MultiFactorResolver;
  readonly submitLabel: string;
  readonly onDone: () => void;
  /** Leaves the sign-in, or begins it again. */
  readonly onBack: { readonly label: string; readonly run: () => void };
}

/** Asks for a recovery code, for who has lost the app. */
function RecoveryForm({ waiting, submitLabel, onDone, onBack }: FormProps) {
  const [code, setCode] = useState('');
  const { busy, failure, submit } = useSubmit(
    async () => {
      await showRecoveryCode(waiting, code);
      onDone();
    },
    (error) => (isWrongCode(error) ? WRONG_RECOVERY : describeError(error)),
  );
  return (
    <form className={formClass} onSubmit={submit}>
      {failure && <Problem title={failure} />}
      <TextInput
        label="Recovery code"
        description="One of the codes you saved; each works once"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus
        data-autofocus
        value={code}
        onChange={(event) => setCode(event.currentTarget.value.slice(0, MAX_RECOVERY_LENGTH))}
      />
      <Button type="submit" size="md" fullWidth loading={busy} disabled={code.trim() === ''}>
        {submitLabel}
      </Button>
      <Button variant="subtle" color="gray" disabled={busy} onClick={onBack.run}>
        {onBack.label}
      </Button>
    </form>
  );
}

/** Asks for the code of an authenticator app, or for a recovery code: the second step of a sign-in. */
export function CodeForm(props: FormProps) {
  const [recovers, setRecovers] = useState(false);
  const apps = props.waiting.hints.filter(({ factorId }) => factorId === 'totp');
  if (recovers) {
    const back = { label: 'Use the authenticator app', run: () => setRecovers(false) };
    return <RecoveryForm {...props} onBack={apps.length > 0 ? back : props.onBack} />;
  }
  if (apps.length === 0) {
    return (
      <div className={formClass}>
        <Problem title="This account’s second step is a text message, which this page cannot ask for. Use a recovery code, or ask whoever runs this server." />
        <Button onClick={() => setRecovers(true)}>Use a recovery code</Button>
      </div>
    );
  }
  return <AppForm {...props} apps={apps} onLost={() => setRecovers(true)} />;
}

/** Asks for the code of an authenticator app. */
function AppForm({
  waiting,
  apps,
  submitLabel,
  onDone,
  onBack,
  onLost,
}: FormProps & { apps: MultiFactorResolver['hints']; onLost: () => void }) {
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
            : `As “${isolated(apps[0]?.displayName ?? '') || 'your authenticator app'}” shows it now`
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
      <Button variant="subtle" color="gray" disabled={busy} onClick={onLost}>
        Use a recovery code
      </Button>
      <Button variant="subtle" color="gray" disabled={busy} onClick={onBack.run}>
        {onBack.label}
      </Button>
    </form>
  );
}
