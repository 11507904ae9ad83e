import { Button } from '@mantine/core';
import { MailWarning } from 'lucide-react';
import { useState } from 'react';
import { Popup, PopupActions } from '../../ui/popups/popup.tsx';
import { Code } from '../parts/small.tsx';
import { when } from '../parts/units.ts';
import { ask, emulator } from '../server/server.ts';
import { useAsk } from '../server/use-ask.ts';
import css from './functions.module.css';

interface DeadLetter {
  readonly id: string;
  readonly error: string;
  readonly time: string;
  readonly function?: string;
  readonly event?: string;
  readonly about?: string;
  readonly failures?: number;
  readonly body?: unknown;
}

/** Polling interval, in milliseconds. */
const EVERY_MS = 5_000;

/** Events that no function took, behind a button that shows when there are some. */
export function DeadLetters() {
  const [open, setOpen] = useState(false);
  const { data, refresh } = useAsk(
    'deadLetters',
    () => ask<{ deadLetters?: DeadLetter[] }>(emulator('deadLetters')).catch(() => ({ deadLetters: [] })),
    EVERY_MS,
  );
  const letters = data?.deadLetters ?? [];
  if (letters.length === 0 && !open) return null;
  const forget = async () => {
    await ask(emulator('deadLetters'), { method: 'DELETE' });
    refresh();
    setOpen(false);
  };
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<MailWarning size={14} aria-hidden />}
        onClick={() => setOpen(true)}
      >
        {letters.length} {letters.length === 1 ? 'event' : 'events'} given up
      </Button>
      <Popup open={open} onClose={() => setOpen(false)} title="Events given up" width={680}>
        <ol className={css.letters}>
          {letters.map((letter) => (
            <li key={letter.id}>
              <p>
                <strong>{letter.function ?? 'No function'}</strong> {letter.event}, {when(letter.time)}
                {letter.failures !== undefined && `, after ${letter.failures} tries`}
              </p>
              <Code>{letter.error}</Code>
            </li>
          ))}
        </ol>
        <PopupActions>
          <Button variant="default" onClick={() => setOpen(false)}>
            Close
          </Button>
          <Button onClick={forget}>Forget them</Button>
        </PopupActions>
      </Popup>
    </>
  );
}
