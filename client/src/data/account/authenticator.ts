/** Requests to the browser’s authenticators, with the JSON of the wire on one side and buffers on the other. */

import type { PasskeyJson } from '@sdk/passkeys';

/** Somebody closed the browser's dialog, let it time out, or has no passkey here. Browsers do not tell which. */
export class PasskeyCancelled extends Error {
  override readonly name = 'PasskeyCancelled';
}

/** Names of the browser's errors -> a sentence on what to do. */
const WORDS: Readonly<Record<string, string>> = {
  InvalidStateError: 'This device has a passkey of your account already.',
  NotSupportedError: 'This device cannot make passkeys of the kind that is needed. Use another device.',
  ConstraintError:
    'This device does not check who is using it. Set up a screen lock, a fingerprint or a PIN first.',
  SecurityError: 'Passkeys of this server do not work at this address. Open its own address.',
};

/** The error in terms of what somebody can do. `cancelled` is said where nothing was chosen. */
function inWords(error: unknown, cancelled: string): unknown {
  const { name } = (error ?? {}) as { name?: unknown };
  if (name === 'NotAllowedError' || name === 'AbortError') return new PasskeyCancelled(cancelled);
  const words = typeof name === 'string' && Object.hasOwn(WORDS, name) ? WORDS[name] : undefined;
  return words ? new Error(words) : error;
}

function bytes(text: unknown): Uint8Array<ArrayBuffer> {
  const binary = atob(String(text).replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

function encoded(buffer: ArrayBuffer): string {
  const binary = String.fromCharCode(...new Uint8Array(buffer));
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

function answerOf(credential: PublicKeyCredential, response: Record<string, unknown>): PasskeyJson {
  return {
    id: credential.id,
    rawId: encoded(credential.rawId),
    type: credential.type,
    ...(credential.authenticatorAttachment && {
      authenticatorAttachment: credential.authenticatorAttachment,
    }),
    clientExtensionResults: {},
    response: { clientDataJSON: encoded(credential.response.clientDataJSON), ...response },
  };
}

/** Has the browser make a passkey. */
export async function makePasskey(options: PasskeyJson): Promise<PasskeyJson> {
  const wire = options as unknown as PublicKeyCredentialCreationOptionsJSON;
  const known = wire.excludeCredentials ?? [];
  const publicKey = {
    ...wire,
    challenge: bytes(wire.challenge),
    user: { ...wire.user, id: bytes(wire.user.id) },
    excludeCredentials: known.map(({ id }) => ({ type: 'public-key', id: bytes(id) })),
  } as unknown as PublicKeyCredentialCreationOptions;
  let made: PublicKeyCredential | null;
  try {
    made = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential | null;
  } catch (error) {
    throw inWords(error, 'No passkey was made.');
  }
  if (!made) throw new PasskeyCancelled('No passkey was made.');
  const { attestationObject } = made.response as AuthenticatorAttestationResponse;
  return answerOf(made, { attestationObject: encoded(attestationObject), transports: [] });
}

/** Has the browser find a passkey and sign with it. */
export async function askForPasskey(
  options: PasskeyJson,
  how: { mediation?: CredentialMediationRequirement; signal?: AbortSignal } = {},
): Promise<PasskeyJson> {
  const wire = options as unknown as PublicKeyCredentialRequestOptionsJSON;
  const publicKey = {
    challenge: bytes(wire.challenge),
    rpId: wire.rpId,
    timeout: wire.timeout,
    userVerification: wire.userVerification,
  } as PublicKeyCredentialRequestOptions;
  const cancelled = 'No passkey was used. If you have none for this server, log in another way.';
  let found: PublicKeyCredential | null;
  try {
    found = (await navigator.credentials.get({ publicKey, ...how })) as PublicKeyCredential | null;
  } catch (error) {
    throw inWords(error, cancelled);
  }
  if (!found) throw new PasskeyCancelled(cancelled);
  const response = found.response as AuthenticatorAssertionResponse;
  return answerOf(found, {
    authenticatorData: encoded(response.authenticatorData),
    signature: encoded(response.signature),
    ...(response.userHandle && { userHandle: encoded(response.userHandle) }),
  });
}
