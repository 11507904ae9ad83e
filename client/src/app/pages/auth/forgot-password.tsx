import { Button, TextInput } from '@mantine/core';
import { sendPasswordResetEmail } from '@sdk/auth';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { Link } from 'react-router';
import { getServices } from '../../../data/server/firebase.ts';
import { describeError } from '../../../data/server/messages.ts';
import { Problem } from '../../../ui/page/page.tsx';
import { AuthPage, formClass } from './auth-page.tsx';

/** `/forgot-password` */
export function Component() {
  const [sentTo, setSentTo] = useState<string>();
  const [failure, setFailure] = useState<string>();
  const { register, handleSubmit, formState } = useForm({ defaultValues: { email: '' } });
  const submit = handleSubmit(async ({ email }) => {
    setFailure(undefined);
    try {
      await sendPasswordResetEmail(getServices().auth, email.trim(), { url: `${location.origin}/login` });
      setSentTo(email.trim());
    } catch (error) {
      // The existence of an account is not revealed.
      if ((error as { code?: string }).code === 'auth/user-not-found') setSentTo(email.trim());
      else setFailure(describeError(error));
    }
  });
  if (sentTo) {
    return (
      <AuthPage title="Look at your mail" foot={<Link to="/login">Back to login</Link>}>
        <p>
          If <strong>{sentTo}</strong> has an account here, a link that sets a new password is on its way. A
          server without mail keeps it for its operator, who reads it with <code>tuckbox outbox</code>.
        </p>
      </AuthPage>
    );
  }
  return (
    <AuthPage
      title="Forgotten password"
      lead="We send you a link that sets a new one."
      foot={<Link to="/login">Back to login</Link>}
    >
      <form className={formClass} onSubmit={(event) => void submit(event)} noValidate>
        {failure && <Problem title={failure} />}
        <TextInput
          label="E-mail"
          type="email"
          autoComplete="email"
          error={formState.errors.email?.message}
          {...register('email', { required: 'Enter your e-mail address.' })}
        />
        <Button type="submit" size="md" loading={formState.isSubmitting}>
          Send the link
        </Button>
      </form>
    </AuthPage>
  );
}
