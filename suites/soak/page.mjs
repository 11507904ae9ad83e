/** The client inside a browser's page. */

import { Actor } from './actor.mjs';
import { webSdk } from './web.mjs';

const ledger = new Proxy({}, { get: (_calls, name) => globalThis[`ledger_${String(name)}`] });

/** Opens the page's one actor: `globalThis.actor`. */
export function open({ name, ...options }) {
  globalThis.actor = new Actor({ sdk: webSdk({ name, ...options }), ledger, name });
}
