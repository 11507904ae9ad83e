import { Button, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { deviceName } from '../../../data/account/device-name.ts';
import {
  newPasskey,
  type PasskeyInfo,
  removePasskey,
  renamePasskey,
} from '../../../data/account/passkeys.ts';
import { SignInCancelled } from '../../../data/account/sign-in-again.ts';
import { describeError } from '../../../data/server/messages.ts';
import { Problem } from '../../../ui/page/page.tsx';
import { Popup, PopupActions } from '../../../ui/popups/popup.tsx';
import { useLast } from '../../../ui/popups/use-last.ts';
import { DANGER } from '../../../ui/theme/theme.ts';
import { useSubmit } from '../../shell/use-submit.ts';
import css from './account.module.css';

/** Longest name of a passkey. */
const MAX_NAME_LENGTH = 40;

/** Nobody needs to be told that they cancelled. */
const wordsOf = (error: unknown) => (error instanceof SignInCancelled ? undefined : describeError(error));

/** A question with a form: words, perhaps a name, and the buttons. */
function Question({
  children,
  name,
  submitLabel,
  danger = false,
  onSubmit,
  onCancel,
}: {
  children?: ReactNode;
  /** The name to begin with; without it none is asked for. */
  name?: string | undefined;
  submitLabel: string;
  danger?: boolean;
  onSubmit: (name: string) => Promise<void>;
  onCancel: () => void;
}) {
  const [value, setValue] = useState(name ?? '');
  const { busy, failure, submit } = useSubmit(() => onSubmit(value.trim()), wordsOf);
  const asksName = name !== undefined;
  return (
    <form className={css.question} onSubmit={submit}>
      {failure && <Problem title={failure} />}
      {children}
      {asksName && (
        <TextInput
          label="Name of the passkey"
          data-autofocus
          value={value}
          maxLength={MAX_NAME_LENGTH}
          onChange={(event) => setValue(event.currentTarget.value)}
        />
      )}
      <PopupActions>
        <Button variant="subtle" color="gray" disabled={busy} onClick={onCancel}>
          {danger ? 'Keep it' : 'Cancel'}
        </Button>
        <Button
          type="submit"
          {...(danger && { color: DANGER, 'data-autofocus': true })}
          loading={busy}
          disabled={asksName && value.trim() === ''}
        >
          {submitLabel}
        </Button>
      </PopupActions>
    </form>
  );
}

interface DialogProps {
  onClose: () => void;
  onDone: (words: string) => void;
}

/** Asks for a name, then has the browser make a passkey. */
export function AddPasskey({ open, onClose, onDone }: DialogProps & { open: boolean }) {
  return (
    <Popup open={open} onClose={onClose} title="Add a passkey">
      <Question
        name={deviceName(navigator.userAgent)}
        submitLabel="Go on"
        onCancel={onClose}
        onSubmit={async (name) => {
          await newPasskey(name);
          onDone('The passkey is added.');
        }}
      >
        <p>
          Your browser asks where to keep it: on this device, on your phone or on a security key. Name it so
          that you know it again.
        </p>
      </Question>
    </Popup>
  );
}

/** A popup about one passkey. */
function AboutPasskey({
  passkey,
  onClose,
  title,
  children,
}: {
  passkey: PasskeyInfo | undefined;
  onClose: () => void;
  title: string;
  children: (shown: PasskeyInfo) => ReactNode;
}) {
  const shown = useLast(passkey);
  return (
    <Popup open={passkey !== undefined} onClose={onClose} title={title}>
      {shown && children(shown)}
    </Popup>
  );
}

/** Asks for another name. */
export function RenamePasskey({
  passkey,
  onClose,
  onDone,
}: DialogProps & { passkey: PasskeyInfo | undefined }) {
  return (
    <AboutPasskey passkey={passkey} onClose={onClose} title="Rename the passkey">
      {(shown) => (
        <Question
          key={shown.id}
          name={shown.name}
          submitLabel="Save name"
          onCancel={onClose}
          onSubmit={async (name) => {
            await renamePasskey(shown.id, name);
            onDone('Name saved.');
          }}
        />
      )}
    </AboutPasskey>
  );
}

/** Asks before a passkey goes. */
export function RemovePasskey({
  passkey,
  onClose,
  onDone,
}: DialogProps & { passkey: PasskeyInfo | undefined }) {
  return (
    <AboutPasskey passkey={passkey} onClose={onClose} title="Remove this passkey?">
      {(shown) => (
        <Question
          key={shown.id}
          submitLabel="Remove"
          danger
          onCancel={onClose}
          onSubmit={async () => {
            await removePasskey(shown.id);
            onDone('The passkey is removed.');
          }}
        >
          <p>
            <strong>{shown.name}</strong> no longer lets anybody in. Your device may go on offering it until
            you delete it there, too.
          </p>
        </Question>
      )}
    </AboutPasskey>
  );
}
