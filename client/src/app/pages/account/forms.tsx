import { Button, PasswordInput, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import {
  changeEmail,
  changeName,
  changePassword,
  MIN_PASSWORD_LENGTH,
} from '../../../data/account/account.ts';
import { describeError } from '../../../data/server/messages.ts';
import { Problem } from '../../../ui/page/page.tsx';
import { toasts } from '../../../ui/toasts/engine.ts';
import css from './account.module.css';

/** Longest name shown on projects. */
const MAX_NAME_LENGTH = 80;

/** Runs a change, says that it is done or why not. */
function useChange() {
  const [failure, setFailure] = useState<string>();
  const [busy, setBusy] = useState(false);
  const run = async (work: () => Promise<void>, done: string): Promise<boolean> => {
    setBusy(true);
    setFailure(undefined);
    try {
      await work();
      toasts.show(done, { type: 'success', autoCloseTime: 4_000 });
      return true;
    } catch (error) {
      setFailure(describeError(error));
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { failure, busy, run };
}

/** The name shown on projects. */
export function NameForm({ name }: { name: string }) {
  const [value, setValue] = useState(name);
  const { failure, busy, run } = useChange();
  return (
    <form
      className={css.row}
      onSubmit={(event) => {
        event.preventDefault();
        void run(() => changeName(value), 'Name saved.');
      }}
    >
      <TextInput
        label="Name"
        className={css.grow ?? ''}
        value={value}
        maxLength={MAX_NAME_LENGTH}
        error={failure}
        onChange={(event) => setValue(event.currentTarget.value)}
      />
      <Button type="submit" variant="default" size="md" loading={busy} disabled={value.trim() === name}>
        Save name
      </Button>
    </form>
  );
}

/** A form that stays closed until it is wanted. */
function Folded({
  label,
  words,
  open,
  onOpen,
  children,
}: {
  label: string;
  words: string;
  open: boolean;
  onOpen: (open: boolean) => void;
  children: ReactNode;
}) {
  if (open) return children;
  return (
    <div className={css.row}>
      <p className={css.grow}>{words}</p>
      <Button variant="default" onClick={() => onOpen(true)}>
        {label}
      </Button>
    </div>
  );
}

/** A new address, which takes effect when the link sent to it is opened. */
export function EmailForm() {
  const [open, setOpen] = useState(false);
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const { failure, busy, run } = useChange();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const done = await run(() => changeEmail(password, email.trim()), `A link was sent to ${email.trim()}.`);
    if (done) setOpen(false);
    setPassword('');
  };
  return (
    <Folded
      label="Change e-mail"
      words="The new address holds once you open the link sent to it."
      open={open}
      onOpen={setOpen}
    >
      <form className={css.stack} onSubmit={(event) => void submit(event)}>
        {failure && <Problem title={failure} />}
        <TextInput
          label="New e-mail"
          type="email"
          autoComplete="email"
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <PasswordInput
          label="Password"
          autoComplete="current-password"
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <div className={css.buttons}>
          <Button type="submit" loading={busy} disabled={email.trim() === '' || password === ''}>
            Send link
          </Button>
          <Button variant="subtle" color="gray" onClick={() => setOpen(false)}>
            Cancel
          </Button>
        </div>
      </form>
    </Folded>
  );
}

/** A new password, for who knows the old one. */
export function PasswordForm() {
  const [open, setOpen] = useState(false);
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const { failure, busy, run } = useChange();
  const tooShort = next !== '' && next.length < MIN_PASSWORD_LENGTH;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (await run(() => changePassword(current, next), 'Password changed.')) {
      setOpen(false);
      setNext('');
    }
    setCurrent('');
  };
  return (
    <Folded label="Change password" words="You sign in with a password." open={open} onOpen={setOpen}>
      <form className={css.stack} onSubmit={(event) => void submit(event)}>
        {failure && <Problem title={failure} />}
        <PasswordInput
          label="Current password"
          autoComplete="current-password"
          value={current}
          onChange={(event) => setCurrent(event.currentTarget.value)}
        />
        <PasswordInput
          label="New password"
          autoComplete="new-password"
          value={next}
          error={tooShort && `At least ${MIN_PASSWORD_LENGTH} characters.`}
          onChange={(event) => setNext(event.currentTarget.value)}
        />
        <div className={css.buttons}>
          <Button type="submit" loading={busy} disabled={current === '' || next === '' || tooShort}>
            Save password
          </Button>
          <Button variant="subtle" color="gray" onClick={() => setOpen(false)}>
            Cancel
          </Button>
        </div>
      </form>
    </Folded>
  );
}
