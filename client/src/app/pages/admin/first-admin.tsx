import { Button, TextInput } from '@mantine/core';
import { KeyRound, ShieldOff } from 'lucide-react';
import { type FormEvent, useEffect, useState } from 'react';
import { freshToken } from '../../../data/account/session.ts';
import { becomeFirstAdmin, type FirstAdminState, readFirstAdmin } from '../../../data/admin/admin-calls.ts';
import { describeError } from '../../../data/server/messages.ts';
import { EmptyState, Loading, Placeholder, Problem } from '../../../ui/page/page.tsx';
import { toasts } from '../../../ui/toasts/engine.ts';
import css from './admin.module.css';

/** Longest code that can be typed; the server's has 14 characters with its dashes. */
const MAX_CODE_LENGTH = 40;

/** The server's own words: it says how long to wait after wrong codes. */
function describeRefusal(error: unknown): string {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  return code === 'functions/resource-exhausted' ? String(message) : describeError(error);
}

/** Takes the code from the log of a server that has no administrator yet. */
function CodeForm() {
  const [code, setCode] = useState('');
  const [failure, setFailure] = useState<string>();
  const [busy, setBusy] = useState(false);
  const give = async () => {
    setBusy(true);
    setFailure(undefined);
    try {
      await becomeFirstAdmin({ code });
      toasts.show('You are the administrator of this server now.', { type: 'success', autoCloseTime: 6_000 });
      // The page changes with the claim in the new token.
      await freshToken(true);
    } catch (error) {
      setFailure(describeRefusal(error));
    } finally {
      setBusy(false);
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!busy && code.trim()) void give();
  };
  return (
    <form className={css.code} onSubmit={submit}>
      <TextInput
        label="Code"
        size="md"
        placeholder="xxxx-xxxx-xxxx"
        autoComplete="one-time-code"
        autoCapitalize="off"
        spellCheck={false}
        maxLength={MAX_CODE_LENGTH}
        value={code}
        error={failure}
        onChange={(event) => {
          setCode(event.currentTarget.value);
          setFailure(undefined);
        }}
      />
      <Button type="submit" size="md" loading={busy} disabled={!code.trim()}>
        Become administrator
      </Button>
    </form>
  );
}

/** Tells somebody without the claim how it is had: by the code in the log while nobody is an administrator. */
export function NotAdmin({ email }: { email: string }) {
  const [state, setState] = useState<FirstAdminState>();
  const [failure, setFailure] = useState<string>();
  useEffect(() => {
    readFirstAdmin(null).then(
      (read) => setState(read.state),
      (error) => setFailure(describeError(error)),
    );
  }, []);
  if (failure) return <Problem title={failure} />;
  if (!state) {
    return (
      <>
        <Loading />
        <Placeholder height={260} />
      </>
    );
  }
  if (state === 'open') {
    return (
      <EmptyState
        icon={<KeyRound size={26} />}
        title="This server has no administrator yet"
        action={<CodeForm />}
      >
        Its log shows a code, good for an hour after the start. Whoever enters it becomes the administrator.
      </EmptyState>
    );
  }
  return (
    <EmptyState icon={<ShieldOff size={26} />} title="You are not an administrator">
      {state === 'expired' && 'The code in the server’s log has ended; the next start shows a new one. '}
      Whoever runs this server can make you one with <code>tuckbox admin grant {email}</code>; then log in
      again.
    </EmptyState>
  );
}
