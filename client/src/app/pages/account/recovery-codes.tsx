import { Button, CopyButton } from '@mantine/core';
import { Check, Copy, Download } from 'lucide-react';
import { useEffect, useState } from 'react';
import { makeRecoveryCodes, recoveryCodesLeft } from '../../../data/account/recovery-codes.ts';
import { SignInCancelled } from '../../../data/account/sign-in-again.ts';
import { describeError } from '../../../data/server/messages.ts';
import { Problem } from '../../../ui/page/page.tsx';
import { Popup, PopupActions } from '../../../ui/popups/popup.tsx';
import css from './account.module.css';

/** Codes left at which the page suggests new ones. */
const FEW = 3;

const fileOf = (codes: readonly string[]) =>
  `Recovery codes for ${location.host}\nEach works once in place of a code of your authenticator app.\n\n${codes.join('\n')}\n`;

/** The codes, shown this once. */
function Codes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const text = fileOf(codes);
  return (
    <div className={css.question}>
      <p>
        Keep these where you can reach them without your phone. Each works once. They are not shown again.
      </p>
      <ul className={css.codes} aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <PopupActions>
        <CopyButton value={codes.join('\n')}>
          {({ copied, copy }) => (
            <Button
              variant="default"
              leftSection={copied ? <Check size={16} aria-hidden /> : <Copy size={16} aria-hidden />}
              onClick={copy}
            >
              {copied ? 'Copied' : 'Copy'}
            </Button>
          )}
        </CopyButton>
        <Button
          component="a"
          variant="default"
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
          download="tuckbox-recovery-codes.txt"
          leftSection={<Download size={16} aria-hidden />}
        >
          Download
        </Button>
        <Button data-autofocus onClick={onClose}>
          I have saved them
        </Button>
      </PopupActions>
    </div>
  );
}

/** Asks before codes are made, then shows them. */
function CodesDialog({ open, left, onClose }: { open: boolean; left: number | null; onClose: () => void }) {
  const [codes, setCodes] = useState<readonly string[]>();
  const [failure, setFailure] = useState<string>();
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    if (!open) return;
    setCodes(undefined);
    setFailure(undefined);
  }, [open]);
  const make = async () => {
    setBusy(true);
    setFailure(undefined);
    try {
      setCodes(await makeRecoveryCodes());
    } catch (error) {
      if (!(error instanceof SignInCancelled)) setFailure(describeError(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Popup open={open} locked={busy} onClose={onClose} title="Recovery codes">
      {codes ? (
        <Codes codes={codes} onClose={onClose} />
      ) : (
        <div className={css.question}>
          {failure && <Problem title={failure} />}
          <p>
            Ten codes to write down or print. Each lets you in once when your authenticator app is lost.
            {left !== null && ' The codes you have now stop working.'}
          </p>
          <PopupActions>
            <Button variant="subtle" color="gray" disabled={busy} onClick={onClose}>
              Not now
            </Button>
            <Button loading={busy} data-autofocus onClick={() => void make()}>
              Make codes
            </Button>
          </PopupActions>
        </div>
      )}
    </Popup>
  );
}

function words(left: number | null): string {
  if (left === null) return 'None yet. Without codes, who loses every app is locked out.';
  if (left === 0) return 'All of them are used. Make new ones, or who loses every app is locked out.';
  return `${left} of 10 left.${left <= FEW ? ' Make new ones before they run out.' : ''}`;
}

/** Recovery codes of an account with a second step; `offered` opens the dialog, after the first app was added. */
export function RecoveryCodes({ offered }: { offered: boolean }) {
  const [left, setLeft] = useState<number | null>();
  const [failure, setFailure] = useState<string>();
  const [open, setOpen] = useState(offered);
  useEffect(() => {
    // Counted anew when the dialog closes.
    if (open) return;
    let current = true;
    recoveryCodesLeft().then(
      (count) => {
        if (!current) return;
        setLeft(count);
        setFailure(undefined);
      },
      (error) => current && setFailure(describeError(error)),
    );
    return () => {
      current = false;
    };
  }, [open]);
  return (
    <div className={css.codesRow}>
      <div className={css.grow}>
        <span className={css.label}>Recovery codes</span>
        {failure ? <Problem title={failure} /> : <p>{left === undefined ? '…' : words(left)}</p>}
      </div>
      <Button variant="default" onClick={() => setOpen(true)}>
        {left === undefined || left === null ? 'Make recovery codes' : 'Make new codes'}
      </Button>
      <CodesDialog open={open} left={left ?? null} onClose={() => setOpen(false)} />
    </div>
  );
}
