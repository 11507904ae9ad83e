/** A proof of who somebody is. */
export interface AuthCredential {
  readonly providerId: string;
  readonly signInMethod: string;
}

/** An e-mail address with its password. */
export class EmailAuthCredential implements AuthCredential {
  readonly providerId = 'password';
  readonly signInMethod = 'password';
  readonly email: string;
  readonly password: string;

  constructor(email: string, password: string) {
    this.email = email;
    this.password = password;
  }
}

/** E-mail and password. */
export const EmailAuthProvider = {
  PROVIDER_ID: 'password',
  EMAIL_PASSWORD_SIGN_IN_METHOD: 'password',

  credential(email: string, password: string): EmailAuthCredential {
    return new EmailAuthCredential(email, password);
  },
} as const;
