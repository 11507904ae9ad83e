import { Button, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useForm } from 'react-hook-form';
import { MIN_PASSWORD_LENGTH } from '../../../data/account/account.ts';
import { describeError } from '../../../data/server/messages.ts';
import { Problem } from '../../../ui/page/page.tsx';
import { PasswordField } from '../../../ui/password-field.tsx';
import { formClass } from './auth-page.tsx';

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$|^[^\s@]+@localhost$/;

export interface Credentials {
  name: string;
  email: string;
  password: string;
}

/** E-mail and password, with a name when an account is made. */
export function CredentialsForm({
  isNew,
  withPasskeys = false,
  submitLabel,
  onSubmit,
  aside,
}: {
  isNew: boolean;
  /** Lets the browser suggest passkeys beside addresses. */
  withPasskeys?: boolean;
  submitLabel: string;
  onSubmit: (values: Credentials) => Promise<void>;
  aside?: ReactNode;
}) {
  const [failure, setFailure] = useState<string>();
  const { register, handleSubmit, formState } = useForm<Credentials>({
    defaultValues: { name: '', email: '', password: '' },
  });
  const { errors, isSubmitting } = formState;
  const submit = handleSubmit(async (values) => {
    setFailure(undefined);
    try {
      await onSubmit({ ...values, email: values.email.trim(), name: values.name.trim() });
    } catch (error) {
      setFailure(describeError(error));
    }
  });
  return (
    <form className={formClass} onSubmit={(event) => void submit(event)} noValidate>
      {failure && <Problem title={failure} />}
      {isNew && (
        <TextInput
          label="Name"
          placeholder="Shown on your projects"
          autoComplete="name"
          {...register('name')}
        />
      )}
      <TextInput
        label="E-mail"
        type="email"
        autoComplete={withPasskeys ? 'email webauthn' : 'email'}
        autoFocus={!isNew}
        error={errors.email?.message}
        {...register('email', {
          required: 'Enter your e-mail address.',
          validate: (value) => EMAIL.test(value.trim()) || 'This does not look like an e-mail address.',
        })}
      />
      <PasswordField
        label="Password"
        autoComplete={isNew ? 'new-password' : 'current-password'}
        {...(isNew && { description: `At least ${MIN_PASSWORD_LENGTH} characters` })}
        error={errors.password?.message}
        {...register('password', {
          required: 'Enter a password.',
          ...(isNew && {
            minLength: { value: MIN_PASSWORD_LENGTH, message: `At least ${MIN_PASSWORD_LENGTH} characters.` },
          }),
        })}
      />
      <Button type="submit" size="md" fullWidth loading={isSubmitting}>
        {submitLabel}
      </Button>
      {aside}
    </form>
  );
}
