import { multiFactor, onIdTokenChanged, TotpMultiFactorGenerator, type TotpSecret } from '@sdk/auth';
import { getServices } from '../server/firebase.ts';
import { withRecentSignIn } from './sign-in-again.ts';

/** Issuer name shown by authenticator apps. */
const ISSUER = 'Tuckbox';

/** A second factor as the account page shows it. */
export interface SecondFactor {
  readonly id: string;
  readonly name: string;
  /** Milliseconds since 1970; 0 where it is not known. */
  readonly since: number;
}

/** An authenticator app that is being added. */
export interface Enrollment {
  /** The address that the app reads from a QR code. */
  readonly address: string;
  /** The same secret to type, in groups of four. */
  readonly key: string;
  /** Digits of a code. */
  readonly digits: number;
  /** Turns it on with its first code. */
  finish(name: string, code: string): Promise<void>;
}

function mine() {
  const { currentUser } = getServices().auth;
  if (!currentUser) throw new Error('Your session has ended. Log in again.');
  return multiFactor(currentUser);
}

/** The second factors of who is signed in. */
export function secondFactors(): readonly SecondFactor[] {
  return mine().enrolledFactors.map(({ uid, displayName, enrollmentTime, factorId }) => ({
    id: uid,
    name: displayName || (factorId === 'totp' ? 'Authenticator app' : 'Phone'),
    since: Date.parse(enrollmentTime) || 0,
  }));
}

/** Calls back whenever the profile, of which the second factors are a part, was fetched anew, until the answer is called. */
export function observeSecondFactors(callback: (factors: readonly SecondFactor[]) => void): () => void {
  return onIdTokenChanged(getServices().auth, (user) => {
    if (user) callback(secondFactors());
  });
}

function enrollment(secret: TotpSecret): Enrollment {
  return {
    address: secret.generateQrCodeUrl(getServices().auth.currentUser?.email ?? '', ISSUER),
    key: secret.secretKey.replace(/(.{4})(?=.)/g, '$1 '),
    digits: secret.codeLength,
    finish: (name, code) =>
      withRecentSignIn(() =>
        mine().enroll(TotpMultiFactorGenerator.assertionForEnrollment(secret, code), name),
      ),
  };
}

/** Begins to add an authenticator app. */
export async function beginEnrollment(): Promise<Enrollment> {
  const session = await mine().getSession();
  return enrollment(await withRecentSignIn(() => TotpMultiFactorGenerator.generateSecret(session)));
}

/** Takes a second factor away. The server wants to see one in this very session. */
export async function removeSecondFactor(id: string): Promise<void> {
  await withRecentSignIn(() => mine().unenroll(id));
}
