import { Button, Checkbox, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { Problem } from '../../ui/page/page.tsx';
import { toasts } from '../../ui/toasts/engine.ts';
import { words } from '../server/server.ts';
import { type Account, type AccountChange, createAccount, updateAccount } from './accounts.ts';
import css from './users.module.css';

interface Form {
  readonly localId: string;
  readonly email: string;
  readonly displayName: string;
  readonly phoneNumber: string;
  readonly password: string;
  readonly claims: string;
  readonly emailVerified: boolean;
  readonly disabled: boolean;
}

function formOf(account: Account | undefined): Form {
  return {
    localId: account?.localId ?? '',
    email: account?.email ?? '',
    displayName: account?.displayName ?? '',
    phoneNumber: account?.phoneNumber ?? '',
    password: '',
    claims: account?.customAttributes ?? '',
    emailVerified: account?.emailVerified ?? false,
    disabled: account?.disabled ?? false,
  };
}

function claimsOf(text: string): string {
  if (text.trim() === '') return '{}';
  try {
    const claims = JSON.parse(text) as unknown;
    if (claims !== null && typeof claims === 'object' && !Array.isArray(claims))
      return JSON.stringify(claims);
  } catch {
    // Said below.
  }
  throw new Error('Claims are an object of JSON, such as {"admin": true}.');
}

/** Differences between the form and the account. */
function changeOf(form: Form, before: Form): AccountChange {
  const changed = <K extends keyof Form>(key: K) => form[key] !== before[key];
  return {
    ...(changed('email') && { email: form.email.trim() }),
    ...(changed('displayName') && { displayName: form.displayName.trim() }),
    ...(changed('phoneNumber') && { phoneNumber: form.phoneNumber.trim() }),
    ...(form.password !== '' && { password: form.password }),
    ...(changed('emailVerified') && { emailVerified: form.emailVerified }),
    ...(changed('disabled') && { disableUser: form.disabled }),
    ...(changed('claims') && { customAttributes: claimsOf(form.claims) }),
  };
}

/** Makes an account, or changes one. */
export function AccountForm({ account, onDone }: { account?: Account; onDone: (localId: string) => void }) {
  const before = formOf(account);
  const [form, setForm] = useState(before);
  const [error, setError] = useState<string>();
  const [saving, setSaving] = useState(false);
  const set = (part: Partial<Form>) => setForm({ ...form, ...part });
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setSaving(true);
    setError(undefined);
    try {
      const change = changeOf(form, before);
      if (account) {
        await updateAccount(account.localId, change);
        toasts.show('The account is changed', { type: 'success' });
        onDone(account.localId);
      } else {
        const { customAttributes, ...made } = change;
        const localId = form.localId.trim();
        const id = await createAccount({ ...made, ...(localId && { localId }) });
        if (customAttributes !== undefined) await updateAccount(id, { customAttributes });
        onDone(id);
      }
      set({ password: '' });
    } catch (failed) {
      setError(words(failed));
    } finally {
      setSaving(false);
    }
  };
  const field = (key: 'email' | 'displayName' | 'phoneNumber' | 'localId', label: string, hint = '') => (
    <TextInput
      size="sm"
      label={label}
      placeholder={hint}
      value={form[key]}
      onChange={(event) => set({ [key]: event.currentTarget.value })}
    />
  );
  return (
    <form className={css.form} onSubmit={submit}>
      {field('email', 'E-mail', 'ann@example.com')}
      {field('displayName', 'Name')}
      {field('phoneNumber', 'Phone', '+441632960000')}
      <TextInput
        size="sm"
        label={account ? 'New password' : 'Password'}
        type="password"
        autoComplete="new-password"
        placeholder={account ? 'as it is' : ''}
        value={form.password}
        onChange={(event) => set({ password: event.currentTarget.value })}
      />
      {!account && field('localId', 'Id', 'chosen by the server')}
      <TextInput
        size="sm"
        label="Claims, as JSON"
        placeholder='{"admin": true}'
        value={form.claims}
        onChange={(event) => set({ claims: event.currentTarget.value })}
      />
      <div className={css.checks}>
        <Checkbox
          size="sm"
          label="E-mail is verified"
          checked={form.emailVerified}
          onChange={(event) => set({ emailVerified: event.currentTarget.checked })}
        />
        <Checkbox
          size="sm"
          label="May not sign in"
          checked={form.disabled}
          onChange={(event) => set({ disabled: event.currentTarget.checked })}
        />
      </div>
      {error !== undefined && <Problem title={error} />}
      <Button type="submit" size="sm" className={css.save ?? ''} loading={saving}>
        {account ? 'Save' : 'Create user'}
      </Button>
    </form>
  );
}
