import { useRef, useState } from 'react';
import { describeError } from '../data/server/messages.ts';

/** Work of a form: whether it goes on, and why it failed. After work that was done the form stays busy, for it closes. */
export function useAttempt() {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const running = useRef<AbortController>(undefined);
  const attempt = async (work: (signal: AbortSignal) => Promise<void>): Promise<void> => {
    const controller = new AbortController();
    running.current = controller;
    setBusy(true);
    setFailure(undefined);
    try {
      await work(controller.signal);
    } catch (error) {
      if (!controller.signal.aborted) setFailure(describeError(error));
      setBusy(false);
    }
  };
  return { busy, failure, attempt, cancel: () => running.current?.abort() };
}
