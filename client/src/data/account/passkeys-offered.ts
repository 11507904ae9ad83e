import { getServices } from '../server/firebase.ts';

/** True if this browser can make and use passkeys. */
const isAble = () => typeof PublicKeyCredential === 'function' && window.isSecureContext;

/** Reason why passkeys cannot be used here; an empty text where they can. `undefined` if the server has none. */
export function passkeyHindrance(): string | undefined {
  const at = __OFFICIAL_SDK__ ? undefined : getServices().host.passkeysAt;
  if (!at) return undefined;
  if (at !== location.origin) return `Passkeys of this server work at ${at} only.`;
  return isAble() ? '' : 'This browser cannot use passkeys.';
}

/** True if passkeys can be used here. */
export const passkeysOffered = (): boolean => passkeyHindrance() === '';
