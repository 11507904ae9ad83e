import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Problem } from './page/page.tsx';
import { Popup, PopupActions } from './popups/popup.tsx';
import { DANGER } from './theme/theme.ts';

/** Asks before something is lost. A failure is shown in the dialog, which stays. */
export function Confirm({
  open,
  title,
  action,
  keep = 'Cancel',
  disabled = false,
  focused = false,
  children,
  describe,
  run,
  onClose,
}: {
  open: boolean;
  title: string;
  /** The word on the button. */
  action: string;
  /** The word on the button that loses nothing. */
  keep?: string;
  disabled?: boolean;
  /** True if the destructive button has the focus first, for people who work by keys. */
  focused?: boolean;
  children: ReactNode;
  /** An error in words for users. */
  describe: (error: unknown) => string;
  run: () => Promise<unknown>;
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
      {error !== undefined && <Problem title={describe(error)} />}
      <PopupActions>
        <Button variant="subtle" color="gray" onClick={onClose} disabled={running}>
          {keep}
        </Button>
        <Button
          color={DANGER}
          loading={running}
          disabled={disabled}
          onClick={go}
          data-autofocus={focused || undefined}
        >
          {action}
        </Button>
      </PopupActions>
    </Popup>
  );
}
