import { accountsV2, type FactorReply, ownAccount, type TokenReply } from './api.ts';
import type { Auth, AuthImpl } from './auth-impl.ts';
import { AuthError } from './errors.ts';
import { MultiFactorError } from './pending.ts';
import { type User, UserImpl } from './user.ts';

/** A second factor of an account. */
export interface MultiFactorInfo {
  readonly uid: string;
  readonly displayName?: string | null;
  /** A UTC string. */
  readonly enrollmentTime: string;
  readonly factorId: 'phone' | 'totp';
}

/** Session of an enrolment, or of a sign-in that waits for the second factor. */
export interface MultiFactorSession {
  readonly user?: User;
  readonly pendingCredential?: string;
}

/** A code that proves the possession of a second factor. */
export interface MultiFactorAssertion {
  readonly factorId: 'totp' | 'recovery_code';
}

const infoOf = (factor: FactorReply): MultiFactorInfo => ({
  uid: factor.mfaEnrollmentId ?? '',
  displayName: factor.displayName ?? null,
  enrollmentTime: factor.enrolledAt ? new Date(factor.enrolledAt).toUTCString() : '',
  factorId: factor.totpInfo ? 'totp' : 'phone',
});

interface StartReply {
  readonly totpSessionInfo: {
    readonly sharedSecretKey: string;
    readonly verificationCodeLength: number;
    readonly hashingAlgorithm: string;
    readonly periodSec: number;
    readonly sessionInfo: string;
    readonly finalizeEnrollmentTime: string;
  };
}

/** Secret from which an authenticator app makes its codes. */
export class TotpSecret {
  /** In base32. */
  readonly secretKey: string;
  readonly hashingAlgorithm: string;
  readonly codeLength: number;
  readonly codeIntervalSeconds: number;
  /** Until when the first code must be shown, as a UTC string. */
  readonly enrollmentCompletionDeadline: string;
  readonly sessionInfo: string;
  readonly #user: UserImpl;

  constructor({ totpSessionInfo: info }: StartReply, user: UserImpl) {
    this.secretKey = info.sharedSecretKey;
    this.hashingAlgorithm = info.hashingAlgorithm;
    this.codeLength = info.verificationCodeLength;
    this.codeIntervalSeconds = info.periodSec;
    this.enrollmentCompletionDeadline = new Date(info.finalizeEnrollmentTime).toUTCString();
    this.sessionInfo = info.sessionInfo;
    this.#user = user;
  }

  /** The `otpauth` address that apps read from a QR code; the account's e-mail address and the app's name by default. */
  generateQrCodeUrl(accountName?: string, issuer?: string): string {
    const account = accountName || this.#user.email || 'unknownuser';
    const name = issuer || this.#user.owner.endpoint.core.app.name;
    return (
      `otpauth://totp/${encodeURIComponent(name)}:${encodeURIComponent(account)}?secret=${this.secretKey}` +
      `&issuer=${encodeURIComponent(name)}&algorithm=${this.hashingAlgorithm}&digits=${this.codeLength}` +
      `&period=${this.codeIntervalSeconds}`
    );
  }
}

/** The code of an authenticator app: for a new one its secret, else the id of the factor. */
class TotpAssertion implements MultiFactorAssertion {
  readonly factorId = 'totp';
  readonly code: string;
  readonly secret: TotpSecret | undefined;
  readonly enrollmentId: string | undefined;

  constructor(code: string, of: { secret: TotpSecret } | { enrollmentId: string }) {
    this.code = code;
    this.secret = 'secret' in of ? of.secret : undefined;
    this.enrollmentId = 'enrollmentId' in of ? of.enrollmentId : undefined;
  }
}

class RecoveryCodeAssertion implements MultiFactorAssertion {
  readonly factorId = 'recovery_code';
  readonly code: string;

  constructor(code: string) {
    this.code = code;
  }
}

/** A recovery code in place of a second factor, for `resolveSignIn`. Firebase has none. */
export function recoveryCodeAssertion(code: string): MultiFactorAssertion {
  return new RecoveryCodeAssertion(code);
}

function totp(assertion: MultiFactorAssertion): TotpAssertion {
  if (!(assertion instanceof TotpAssertion))
    throw new AuthError('argument-error', 'Not an assertion of this SDK.');
  return assertion;
}

/** Authenticator apps as second factors. */
export const TotpMultiFactorGenerator = {
  FACTOR_ID: 'totp',

  /** Proves a new app by its first code. */
  assertionForEnrollment(secret: TotpSecret, oneTimePassword: string): MultiFactorAssertion {
    return new TotpAssertion(oneTimePassword, { secret });
  },

  /** Proves an app that the account has. */
  assertionForSignIn(enrollmentId: string, oneTimePassword: string): MultiFactorAssertion {
    return new TotpAssertion(oneTimePassword, { enrollmentId });
  },

  /** Begins an enrollment. */
  async generateSecret(session: MultiFactorSession): Promise<TotpSecret> {
    const { user } = session;
    if (!(user instanceof UserImpl)) throw new AuthError('argument-error', 'Not a session to enroll in.');
    const reply = await accountsV2<StartReply>(user.owner.endpoint, 'mfaEnrollment:start', {
      idToken: await user.getIdToken(),
      totpEnrollmentInfo: {},
    });
    return new TotpSecret(reply, user);
  },
} as const;

/** The second factors of who is signed in. */
export interface MultiFactorUser {
  readonly enrolledFactors: MultiFactorInfo[];
  getSession(): Promise<MultiFactorSession>;
  enroll(assertion: MultiFactorAssertion, displayName?: string | null): Promise<void>;
  unenroll(option: MultiFactorInfo | string): Promise<void>;
}

class MultiFactorUserImpl implements MultiFactorUser {
  readonly #user: UserImpl;

  constructor(user: UserImpl) {
    this.#user = user;
  }

  get enrolledFactors(): MultiFactorInfo[] {
    return this.#user.factors.map(infoOf);
  }

  async getSession(): Promise<MultiFactorSession> {
    return { user: this.#user };
  }

  async enroll(assertion: MultiFactorAssertion, displayName?: string | null): Promise<void> {
    const { secret, code } = totp(assertion);
    if (!secret) throw new AuthError('argument-error', 'The assertion is one for signing in.');
    await this.#change('mfaEnrollment:finalize', {
      ...(displayName && { displayName }),
      totpVerificationInfo: { sessionInfo: secret.sessionInfo, verificationCode: code },
    });
  }

  async unenroll(option: MultiFactorInfo | string): Promise<void> {
    await this.#change('mfaEnrollment:withdraw', {
      mfaEnrollmentId: typeof option === 'string' ? option : option.uid,
    });
  }

  async #change(action: string, body: object): Promise<void> {
    const user = this.#user;
    const idToken = await user.getIdToken();
    user.takeTokens(await accountsV2<Partial<TokenReply>>(user.owner.endpoint, action, { idToken, ...body }));
    await user.reload();
  }
}

/** The second factors of a user: to look at, to add to and to take from. */
export function multiFactor(user: User): MultiFactorUser {
  if (!(user instanceof UserImpl)) throw new AuthError('argument-error', 'Not a user of this SDK.');
  return new MultiFactorUserImpl(user);
}

/** A sign-in that waits for its second factor. */
export interface MultiFactorResolver<Credential> {
  /** Second factors to choose from. */
  readonly hints: MultiFactorInfo[];
  readonly session: MultiFactorSession;
  resolveSignIn(assertion: MultiFactorAssertion): Promise<Credential>;
}

/** The resolver of a sign-in; `finish` makes a session of its tokens. */
export function resolverOf<Credential>(
  auth: Auth,
  error: unknown,
  finish: (reply: TokenReply, error: MultiFactorError) => Promise<Credential>,
): MultiFactorResolver<Credential> {
  if (!(error instanceof MultiFactorError))
    throw new AuthError('argument-error', 'This error does not ask for a second factor.');
  const { mfaPendingCredential, mfaInfo } = error.pending;
  return {
    hints: mfaInfo.map(infoOf),
    session: { pendingCredential: mfaPendingCredential },
    async resolveSignIn(assertion) {
      const { endpoint } = auth as AuthImpl;
      if (assertion instanceof RecoveryCodeAssertion) {
        const body = { mfaPendingCredential, recoveryCode: assertion.code };
        return finish(await ownAccount<TokenReply>(endpoint, 'POST', 'recoverySignIn', { body }), error);
      }
      const { code, enrollmentId } = totp(assertion);
      const reply = await accountsV2<TokenReply>(endpoint, 'mfaSignIn:finalize', {
        mfaPendingCredential,
        mfaEnrollmentId: enrollmentId,
        totpVerificationInfo: { verificationCode: code },
      });
      return finish(reply, error);
    },
  };
}
