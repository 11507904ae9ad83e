import { createUserWithEmailAndPassword, type User, updateProfile } from '@sdk/auth';
import { useRef } from 'react';
import { Link, Navigate, useSearchParams } from 'react-router';
import { signUpGuest } from '../../../data/account/guest-account.ts';
import { guestOfTable, refreshSession, useGuest, useSession } from '../../../data/account/session.ts';
import { getServices } from '../../../data/server/firebase.ts';
import { sendVerificationMail } from '../../shell/verification-mail.ts';
import { AuthPage, invitedClass } from './auth-page.tsx';
import { CredentialsForm } from './credentials-form.tsx';
import { ProviderButtons } from './provider-buttons.tsx';
import { returnTo } from './return-to.ts';

/** A guest's account becomes one of their own, so that their games are in their list. */
async function newAccount(email: string, password: string): Promise<User> {
  const kept = guestOfTable() ? await signUpGuest(email, password) : undefined;
  return kept ?? (await createUserWithEmailAndPassword(getServices().auth, email, password)).user;
}

/** Told where nobody can sign up: who runs the server, if that is known. */
function Closed() {
  const { operator, contact } = getServices().host;
  return (
    <>
      This server does not take new accounts. {operator ?? 'Whoever runs it'} can tell you more
      {contact && `: ${contact}`}.
    </>
  );
}

/** `/signup` */
export function Component() {
  const [search] = useSearchParams();
  const working = useRef(false);
  const signedIn = useSession() !== null;
  const guest = useGuest();
  if (signedIn && !working.current) return <Navigate to={returnTo(search)} replace />;
  const { signUp } = getServices().host;
  const foot = (
    <span>
      Already have one? <Link to={`/login?${search}`}>Log in</Link>
    </span>
  );
  if (signUp === 'closed') return <AuthPage title="No new accounts" lead={<Closed />} foot={foot} />;
  return (
    <AuthPage
      title="Create your account"
      lead={
        guest
          ? 'The games that you played as a guest stay yours: you find them under Playtest tables.'
          : 'Your cards stay on this server. Nothing is shared unless you share it.'
      }
      foot={foot}
    >
      {signUp === 'invitation' && (
        <p className={invitedClass}>
          This server takes new accounts by invitation: use the e-mail address that was invited to a project.
        </p>
      )}
      <CredentialsForm
        isNew
        submitLabel="Sign up"
        onSubmit={async ({ name, email, password }) => {
          working.current = true;
          try {
            const user = await newAccount(email, password);
            // The account stands: what fails after this is mended later, not by signing up again.
            if (name) await updateProfile(user, { displayName: name }).catch((error) => console.warn(error));
            await sendVerificationMail().catch((error) =>
              console.warn('verification mail was not sent', error),
            );
          } finally {
            working.current = false;
            refreshSession(true);
          }
        }}
      />
      <ProviderButtons to={returnTo(search)} isNew />
    </AuthPage>
  );
}
