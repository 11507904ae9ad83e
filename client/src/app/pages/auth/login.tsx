import { signInWithEmailAndPassword } from '@sdk/auth';
import { Link, Navigate, useSearchParams } from 'react-router';
import { getServices } from '../../../data/firebase.ts';
import { useSession } from '../../../data/session.ts';
import { AuthPage } from './auth-page.tsx';
import { CredentialsForm } from './credentials-form.tsx';
import { ProviderButtons } from './provider-buttons.tsx';
import { returnTo } from './return-to.ts';

/** `/login` */
export function Component() {
  const [search] = useSearchParams();
  if (useSession()) return <Navigate to={returnTo(search)} replace />;
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
        submitLabel="Log in"
        onSubmit={async ({ email, password }) => {
          await signInWithEmailAndPassword(getServices().auth, email, password);
        }}
      />
      <ProviderButtons to={returnTo(search)} />
    </AuthPage>
  );
}
