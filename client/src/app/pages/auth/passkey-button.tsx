import { Button } from '@mantine/core';
import { Fingerprint } from 'lucide-react';
import { useEffect, useState } from 'react';
import { keepGuestGames } from '../../../data/account/guest-account.ts';
import { logInWithPasskey, logInWithSuggestedPasskey } from '../../../data/account/passkeys.ts';
import { describeError } from '../../../data/server/messages.ts';
import { Problem } from '../../../ui/page/page.tsx';
import css from './provider-buttons.module.css';

/** Waits for a passkey chosen among the suggestions of the address field, where the browser makes some. */
async function waitForSuggested(signal: AbortSignal, onFailure: (words: string) => void): Promise<void> {
  const able = await PublicKeyCredential.isConditionalMediationAvailable?.();
  if (!able || signal.aborted) return;
  try {
    await logInWithSuggestedPasskey(signal);
    await keepGuestGames();
  } catch (error) {
    // Nobody has asked for anything: that nothing was chosen, or could be, is no news. A refused passkey is.
    const { code } = (error ?? {}) as { code?: unknown };
    if (!signal.aborted && /passkey/.test(String(code))) onFailure(describeError(error));
  }
}

/** Signs in with a passkey, by the button or by a suggestion of the browser. */
export default function PasskeyButton() {
  const [failure, setFailure] = useState<string>();
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    // A browser has one request at a time: the button's takes the place of this one.
    if (busy) return;
    const waiting = new AbortController();
    void waitForSuggested(waiting.signal, setFailure);
    return () => waiting.abort();
  }, [busy]);
  const logIn = async () => {
    setBusy(true);
    setFailure(undefined);
    try {
      await logInWithPasskey();
      await keepGuestGames();
    } catch (error) {
      setFailure(describeError(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className={css.others}>
      <p className={css.or}>or</p>
      {failure && <Problem title={failure} />}
      <Button
        variant="default"
        size="md"
        fullWidth
        leftSection={<Fingerprint size={17} aria-hidden />}
        loading={busy}
        onClick={() => void logIn()}
      >
        Sign in with a passkey
      </Button>
    </div>
  );
}
