import { type MultiFactorResolver, signInWithEmailAndPassword } from '@sdk/auth';
import { lazy, Suspense, useState } from 'react';
import { Link, Navigate, useSearchParams } from 'react-router';
import { keepGuestGames } from '../../../data/account/guest-account.ts';
import { passkeysOffered } from '../../../data/account/passkeys-offered.ts';
import { useSession } from '../../../data/account/session.ts';
import { secondFactorFor } from '../../../data/account/sign-in-again.ts';
import { getServices } from '../../../data/server/firebase.ts';
import { AuthPage } from './auth-page.tsx';
import { CodeForm } from './code-form.tsx';
import { CredentialsForm } from './credentials-form.tsx';
import { ProviderButtons } from './provider-buttons.tsx';
import { returnTo } from './return-to.ts';
import { SampleInstead } from './sample-instead.tsx';

const PasskeyButton = lazy(() => import('./passkey-button.tsx'));

/** `/login` */
export function Component() {
  const [search] = useSearchParams();
  const [waiting, setWaiting] = useState<MultiFactorResolver>();
  if (useSession()) return <Navigate to={returnTo(search)} replace />;
  if (waiting) {
    const back = { label: 'Begin again', run: () => setWaiting(undefined) };
    return (
      <AuthPage title="One more step" lead="Your account also asks for a code from your authenticator app.">
        <CodeForm waiting={waiting} submitLabel="Log in" onDone={() => undefined} onBack={back} />
      </AuthPage>
    );
  }
  return (
    <AuthPage
      title="Welcome back"
      lead="Log in to your projects and layouts."
      foot={
        <>
          <span>
            New here? <Link to={`/signup?${search}`}>Create an account</Link>
          </span>
          <Link to="/forgot-password">Forgotten password</Link>
        </>
      }
    >
      <CredentialsForm
        isNew={false}
        withPasskeys={passkeysOffered()}
        submitLabel="Log in"
        onSubmit={async ({ email, password }) => {
          try {
            await signInWithEmailAndPassword(getServices().auth, email, password);
            // A guest's sign-up that was cut off is finished.
            await keepGuestGames();
          } catch (error) {
            const second = secondFactorFor(error);
            if (!second) throw error;
            setWaiting(second);
          }
        }}
      />
      {passkeysOffered() && (
        <Suspense>
          <PasskeyButton />
        </Suspense>
      )}
      <ProviderButtons to={returnTo(search)} isOther={passkeysOffered()} />
      {returnTo(search).startsWith('/playtesting') && <SampleInstead />}
    </AuthPage>
  );
}
