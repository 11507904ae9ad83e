// The suite's entry inside the page.
import {
  GoogleAuthProvider,
  getAdditionalUserInfo,
  getRedirectResult,
  linkWithPopup,
  OAuthProvider,
  reauthenticateWithPopup,
  SAMLAuthProvider,
  signInAnonymously,
  signInWithPopup,
  signInWithRedirect,
} from 'firebase/auth';
import { newAuth } from '../client.mjs';
import { phoneTests } from '../phone.mjs';
import { runAll } from '../tests.mjs';
import { webTests } from '../web.mjs';

/** The tests that need nothing but a page. */
export async function run(url) {
  webTests(url);
  phoneTests(url);
  return await runAll();
}

const PROVIDERS = {
  google: () => new GoogleAuthProvider(),
  guild: () => new OAuthProvider('oidc.guild'),
  club: () => new SAMLAuthProvider('saml.club'),
};

const show = (result) =>
  result && {
    uid: result.user.uid,
    email: result.user.email,
    name: result.user.displayName,
    providers: result.user.providerData.map((info) => info.providerId),
    operation: result.operationType,
    isNew: result._tokenResponse?.isNewUser === true,
    profile: getAdditionalUserInfo(result)?.profile,
  };

const outcome = async (promise) => {
  try {
    return await promise;
  } catch (error) {
    return { error: error.code ?? String(error) };
  }
};

let auth;

/** An application whose name stays the same when its page is loaded again. */
export function open(url, name) {
  auth = newAuth(url, null, name);
}

export const popup = (provider) => outcome(signInWithPopup(auth, PROVIDERS[provider]()).then(show));
export const linkByPopup = (provider) =>
  outcome(linkWithPopup(auth.currentUser, PROVIDERS[provider]()).then(show));
export const reauthenticateByPopup = (provider) =>
  outcome(reauthenticateWithPopup(auth.currentUser, PROVIDERS[provider]()).then(show));
export const anonymously = () => outcome(signInAnonymously(auth).then(show));
/** Leaves the page. */
export function redirect(provider) {
  signInWithRedirect(auth, PROVIDERS[provider]());
}
export const redirected = () => outcome(getRedirectResult(auth).then(show));
