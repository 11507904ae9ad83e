import { Button } from '@mantine/core';
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import {
  type SignInProvider,
  signInAt,
  signInProviders,
  signUpGuestAt,
} from '../../../data/account/provider-sign-in.ts';
import { guestOfTable } from '../../../data/account/session.ts';
import { describeError } from '../../../data/server/messages.ts';
import { Problem } from '../../../ui/page/page.tsx';
import css from './provider-buttons.module.css';

/** The other ways in, where there are any; `to` is where they lead. Whoever signs up as a guest of a table stays it. */
export function ProviderButtons({
  to,
  isNew = false,
  isOther = false,
}: {
  to: string;
  isNew?: boolean;
  /** There are other ways above it: the word between is there already. */
  isOther?: boolean;
}) {
  const [failure, setFailure] = useState<string>();
  const [busy, setBusy] = useState<string>();
  const providers = signInProviders();
  if (providers.length === 0) return null;
  const go = async (provider: SignInProvider) => {
    setFailure(undefined);
    setBusy(provider.id);
    try {
      // The page is left: the button stays busy until it is gone.
      await (isNew && guestOfTable() ? signUpGuestAt : signInAt)(provider, to);
    } catch (error) {
      setFailure(describeError(error));
      setBusy(undefined);
    }
  };
  return (
    <div className={css.others}>
      {!isOther && <p className={css.or}>or</p>}
      {failure && <Problem title={failure} />}
      {providers.map((provider) => (
        <Button
          key={provider.id}
          variant="default"
          size="md"
          fullWidth
          leftSection={<KeyRound size={17} aria-hidden />}
          loading={busy === provider.id}
          disabled={busy !== undefined && busy !== provider.id}
          onClick={() => void go(provider)}
        >
          Continue with {provider.name}
        </Button>
      ))}
    </div>
  );
}
