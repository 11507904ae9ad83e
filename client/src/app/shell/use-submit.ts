import { type FormEvent, useState } from 'react';
import { describeError } from '../../data/server/messages.ts';

/**
 * A form that is sent once at a time and says why it failed.
 * @param act what sending does; it may fail with words
 * @param onFailure the words to show, where they are not the error's own; `undefined` shows none
 */
export function useSubmit(
  act: () => Promise<void>,
  onFailure: (error: unknown) => string | undefined = describeError,
): { busy: boolean; failure: string | undefined; submit: (event: FormEvent) => void } {
  const [failure, setFailure] = useState<string>();
  const [busy, setBusy] = useState(false);
  const run = async () => {
    setBusy(true);
    setFailure(undefined);
    try {
      await act();
    } catch (error) {
      setFailure(onFailure(error));
    } finally {
      setBusy(false);
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void run();
  };
  return { busy, failure, submit };
}
