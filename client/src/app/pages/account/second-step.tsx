import { Button, CopyButton, TextInput } from '@mantine/core';
import { Check, Copy, ShieldCheck, Smartphone } from 'lucide-react';
import { useEffect, useState } from 'react';
import { isolated } from '../../../core/text/names.ts';
import {
  beginEnrollment,
  type Enrollment,
  observeSecondFactors,
  removeSecondFactor,
  type SecondFactor,
  secondFactors,
} from '../../../data/account/second-factors.ts';
import type { SessionUser } from '../../../data/account/session.ts';
import { SignInCancelled } from '../../../data/account/sign-in-again.ts';
import { describeError } from '../../../data/server/messages.ts';
import { Placeholder, Problem } from '../../../ui/page/page.tsx';
import { Popup, PopupActions } from '../../../ui/popups/popup.tsx';
import { DANGER } from '../../../ui/theme/theme.ts';
import { toasts } from '../../../ui/toasts/engine.ts';
import { useSubmit } from '../../shell/use-submit.ts';
import css from './account.module.css';
import { QrCode } from './qr-code.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';

/** Longest name of an app. */
const MAX_NAME_LENGTH = 40;
/** Most second factors of an account, as the server has it. */
const MAX_FACTORS = 5;

const said = (since: number) =>
  since ? `added ${new Date(since).toLocaleDateString(undefined, { dateStyle: 'long' })}` : '';

/** Shows the secret and asks for the first code. */
function EnrollForm({
  app,
  onDone,
  onCancel,
}: {
  app: Enrollment;
  onDone: () => void;
  onCancel: () => void;
}) {
  const [name, setName] = useState('Authenticator app');
  const [code, setCode] = useState('');
  const { busy, failure, submit } = useSubmit(
    async () => {
      await app.finish(name.trim() || 'Authenticator app', code);
      onDone();
    },
    (error) => {
      setCode('');
      return describeError(error);
    },
  );
  return (
    <form className={css.question} onSubmit={submit}>
      <p>Scan this with an authenticator app, or type the key into it. Then enter the code it shows.</p>
      <div className={css.enroll}>
        <QrCode text={app.address} label="QR code of the key" />
        <div>
          <span className={css.label}>Key</span>
          <code className={css.key}>{app.key}</code>
          <CopyButton value={app.key.replaceAll(' ', '')}>
            {({ copied, copy }) => (
              <Button
                size="xs"
                variant="default"
                leftSection={copied ? <Check size={14} aria-hidden /> : <Copy size={14} aria-hidden />}
                onClick={copy}
              >
                {copied ? 'Copied' : 'Copy key'}
              </Button>
            )}
          </CopyButton>
        </div>
      </div>
      {failure && <Problem title={failure} />}
      <TextInput
        label="Name of the app or device"
        value={name}
        maxLength={MAX_NAME_LENGTH}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <TextInput
        label="Code"
        description={`${app.digits} digits, as the app shows them now`}
        inputMode="numeric"
        autoComplete="one-time-code"
        data-autofocus
        value={code}
        onChange={(event) => setCode(event.currentTarget.value.replace(/\D/g, '').slice(0, app.digits))}
      />
      <PopupActions>
        <Button variant="subtle" color="gray" disabled={busy} onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" loading={busy} disabled={code.length < app.digits}>
          Turn it on
        </Button>
      </PopupActions>
    </form>
  );
}

/** Begins an enrollment when it opens: a secret that was shown once is not shown again. */
function EnrollDialog({ open, onClose, onDone }: { open: boolean; onClose: () => void; onDone: () => void }) {
  const [app, setApp] = useState<Enrollment>();
  const [failure, setFailure] = useState<string>();
  useEffect(() => {
    if (!open) return;
    let current = true;
    setApp(undefined);
    setFailure(undefined);
    beginEnrollment().then(
      (begun) => current && setApp(begun),
      (error) => current && setFailure(describeError(error)),
    );
    return () => {
      current = false;
    };
  }, [open]);
  return (
    <Popup open={open} onClose={onClose} title="Add an authenticator app" width={480}>
      {failure && <Problem title={failure} />}
      {!failure && !app && <Placeholder height={320} />}
      {app && <EnrollForm key={app.key} app={app} onDone={onDone} onCancel={onClose} />}
    </Popup>
  );
}

/** Asks before a second factor goes. */
function RemoveDialog({
  factor,
  last,
  onClose,
  onDone,
}: {
  factor: SecondFactor | undefined;
  last: boolean;
  onClose: () => void;
  onDone: () => void;
}) {
  const [failure, setFailure] = useState<string>();
  const [busy, setBusy] = useState(false);
  const remove = async () => {
    if (!factor) return;
    setBusy(true);
    setFailure(undefined);
    try {
      await removeSecondFactor(factor.id);
      onDone();
    } catch (error) {
      if (!(error instanceof SignInCancelled)) setFailure(describeError(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Popup open={factor !== undefined} locked={busy} onClose={onClose} title="Remove this app?">
      <div className={css.question}>
        {failure && <Problem title={failure} />}
        <p>
          Codes of <strong>{factor?.name}</strong> no longer let anybody in.{' '}
          {last
            ? 'It is the only one: from then on your password alone is asked for, and your recovery codes go with it.'
            : 'Your other apps stay as they are.'}
        </p>
        <PopupActions>
          <Button variant="subtle" color="gray" disabled={busy} onClick={onClose}>
            Keep it
          </Button>
          <Button color={DANGER} loading={busy} data-autofocus onClick={() => void remove()}>
            Remove
          </Button>
        </PopupActions>
      </div>
    </Popup>
  );
}

function Apps({
  factors,
  onRemove,
}: {
  factors: readonly SecondFactor[];
  onRemove: (factor: SecondFactor) => void;
}) {
  return (
    <div className={css.whole}>
      <ul className={css.factors} aria-label="Authenticator apps">
        {factors.map((factor) => (
          <li key={factor.id}>
            <Smartphone size={16} aria-hidden />
            <span className={css.grow}>
              {factor.name} <small>{said(factor.since)}</small>
            </span>
            <Button
              size="xs"
              variant="subtle"
              color="gray"
              aria-label={`Remove ${isolated(factor.name)}`}
              onClick={() => onRemove(factor)}
            >
              Remove
            </Button>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The authenticator apps that are asked for after the first way in. */
export function SecondStep({ user }: { user: SessionUser }) {
  const [factors, setFactors] = useState(secondFactors);
  // A page that opens knows what was stored in this browser; what the server has comes a moment later.
  useEffect(() => observeSecondFactors(setFactors), []);
  const [adding, setAdding] = useState(false);
  const [removing, setRemoving] = useState<SecondFactor>();
  /** True once the first app was added on this page: codes are then offered at once. */
  const [begun, setBegun] = useState(false);
  const changed = (words: string) => {
    const now = secondFactors();
    setBegun(factors.length === 0 && now.length > 0);
    setFactors(now);
    setAdding(false);
    setRemoving(undefined);
    toasts.show(words, { type: 'success', autoCloseTime: 4_000 });
  };
  const on = factors.length > 0;
  return (
    <div className={css.row}>
      <div className={css.grow}>
        <span className={css.label}>Second step</span>
        {on ? (
          <p>
            <span className={css.good}>
              <ShieldCheck size={18} aria-hidden /> On
            </span>
          </p>
        ) : (
          <p>
            {user.emailVerified
              ? 'Off. With an authenticator app, who finds out your password still cannot get in.'
              : 'Verify your e-mail address first; then an authenticator app can be added.'}
          </p>
        )}
      </div>
      <Button
        variant="default"
        disabled={!user.emailVerified || factors.length >= MAX_FACTORS}
        onClick={() => setAdding(true)}
      >
        {on ? 'Add another app' : 'Add authenticator app'}
      </Button>
      {on && <Apps factors={factors} onRemove={setRemoving} />}
      {on && <RecoveryCodes offered={begun} />}
      <EnrollDialog
        open={adding}
        onClose={() => setAdding(false)}
        onDone={() => changed('The second step is on.')}
      />
      <RemoveDialog
        factor={removing}
        last={factors.length === 1}
        onClose={() => setRemoving(undefined)}
        onDone={() => changed('The app is removed.')}
      />
    </div>
  );
}
