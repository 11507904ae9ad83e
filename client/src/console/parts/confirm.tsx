import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Problem } from '../../ui/page.tsx';
import { Popup, PopupActions } from '../../ui/popups/popup.tsx';
import { DANGER } from '../../ui/theme.ts';
import { words } from '../server/server.ts';

/** Asks before something is lost. */
export function Confirm({
  open,
  title,
  action,
  children,
  run,
  onClose,
}: {
  open: boolean;
  title: string;
  /** The word on the button. */
  action: string;
  children: ReactNode;
  run: () => Promise<void>;
  onClose: () => void;
}) {
  const [running, setRunning] = useState(false);
  const [error, setError] = useState<unknown>();
  const go = async () => {
    setRunning(true);
    setError(undefined);
    try {
      await run();
      onClose();
    } catch (failed) {
      setError(failed);
    } finally {
      setRunning(false);
    }
  };
  return (
    <Popup open={open} onClose={onClose} title={title} locked={running}>
      <div>{children}</div>
      {error !== undefined && <Problem title={words(error)} />}
      <PopupActions>
        <Button variant="default" onClick={onClose} disabled={running}>
          Cancel
        </Button>
        <Button color={DANGER} loading={running} onClick={go} data-autofocus>
          {action}
        </Button>
      </PopupActions>
    </Popup>
  );
}
