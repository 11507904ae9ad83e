import { Button, PasswordInput } from '@mantine/core';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { deleteMyAccount, type Outcome } from '../../../data/account/account.ts';
import { type SignInProvider, signInAt, signInProviders } from '../../../data/account/provider-sign-in.ts';
import type { SessionUser } from '../../../data/account/session.ts';
import { getServices } from '../../../data/server/firebase.ts';
import { Problem } from '../../../ui/page/page.tsx';
import { Popup, PopupActions } from '../../../ui/popups/popup.tsx';
import { DANGER } from '../../../ui/theme/theme.ts';
import { useAttempt } from '../../use-attempt.ts';
import css from './account.module.css';
import { outcomesOf, SharedOutcomes, useSharedOwn } from './shared-outcomes.tsx';

/** In the page's address: whose account was to be deleted by who comes back from a provider. */
const WANTED = 'delete';

/**
 * Asks before the account goes, and for a proof of who is there: the password, or a sign-in at `provider` that has
 * just been made.
 */
function DeleteAccount({
  user,
  provider,
  signedInAgain,
  open,
  onClose,
}: {
  user: SessionUser;
  provider: SignInProvider | undefined;
  signedInAgain: boolean;
  open: boolean;
  onClose: () => void;
}) {
  const [password, setPassword] = useState('');
  const shared = useSharedOwn(user.uid);
  const [chosen, setChosen] = useState<Readonly<Record<string, Outcome>>>({});
  const { busy, failure, attempt } = useAttempt();
  // A failure after signing in again may mean that the sign-in has expired.
  const leave = provider && (!signedInAgain || failure !== undefined) ? provider : undefined;
  const submit = async () => {
    await attempt(async () => {
      if (leave) {
        await signInAt(leave, `/account?${WANTED}=${encodeURIComponent(user.uid)}`);
        return;
      }
      await deleteMyAccount(provider ? undefined : password, outcomesOf(shared ?? [], chosen));
      location.assign('/');
    });
  };
  return (
    <Popup open={open} locked={busy} onClose={onClose} title="Delete your account?">
      <form
        className={css.question}
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        {failure && <Problem title={failure} />}
        <p>
          The account <strong>{user.email}</strong> goes, with every project
          {shared && shared.length > 0 && ' that nobody else works on'}, card, layout and setting in it. This
          cannot be undone. Export your data first if you may want it.
        </p>
        {shared && shared.length > 0 && !leave && (
          <SharedOutcomes
            projects={shared}
            chosen={chosen}
            onChoose={(project, outcome) => setChosen((all) => ({ ...all, [project]: outcome }))}
          />
        )}
        {leave && (
          <p>First sign in with {leave.name} again, to show that it is you; then you are asked here.</p>
        )}
        {!provider && (
          <PasswordInput
            label="Password"
            data-autofocus
            autoComplete="current-password"
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
        )}
        <PopupActions>
          <Button variant="subtle" color="gray" disabled={busy} onClick={onClose}>
            Keep it
          </Button>
          {leave ? (
            <Button type="submit" loading={busy}>
              Sign in with {leave.name}
            </Button>
          ) : (
            <Button
              type="submit"
              color={DANGER}
              loading={busy}
              disabled={!shared || (!provider && password === '')}
            >
              Delete the account
            </Button>
          )}
        </PopupActions>
      </form>
    </Popup>
  );
}

/** The way out for good. */
export function DeleteRow({ user }: { user: SessionUser }) {
  const [search, setSearch] = useSearchParams();
  const wanted = search.get(WANTED);
  const [open, setOpen] = useState(wanted === user.uid);
  const hasPassword = user.providers.includes('password');
  const provider = hasPassword ? undefined : signInProviders().find(({ id }) => user.providers.includes(id));
  const { contact } = getServices().host;
  if (!hasPassword && !provider) {
    return (
      <div className={css.row}>
        <p className={css.grow}>
          To have the account deleted, with everything in it, write to {contact ?? 'whoever runs this server'}
          : the way you signed in is no longer offered, so you cannot show here that it is you.
        </p>
      </div>
    );
  }
  return (
    <>
      {wanted !== null && wanted !== user.uid && (
        <Problem title="You came back as somebody else. Nothing was deleted." />
      )}
      <div className={css.row}>
        <p className={css.grow}>The account, and everything in it.</p>
        <Button
          variant="default"
          c={DANGER}
          leftSection={<Trash2 size={16} aria-hidden />}
          onClick={() => setOpen(true)}
        >
          Delete my account
        </Button>
      </div>
      <DeleteAccount
        user={user}
        provider={provider}
        signedInAgain={wanted === user.uid}
        open={open}
        onClose={() => {
          setOpen(false);
          setSearch({}, { replace: true });
        }}
      />
    </>
  );
}
