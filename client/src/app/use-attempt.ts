import { useState } from 'react';
import { describeError } from '../data/messages.ts';

/** Work of a form: whether it goes on, and why it failed. After work that was done the form stays busy, for it closes. */
export function useAttempt() {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    setBusy(true);
    setFailure(undefined);
    try {
      await work();
    } catch (error) {
      setFailure(describeError(error));
      setBusy(false);
    }
  };
  return { busy, failure, attempt };
}
