/** Runs the cases through one driver. */

import { aggregates } from './cases/aggregates.mjs';
import { bundles } from './cases/bundles.mjs';
import { converters } from './cases/converters.mjs';
import { documents } from './cases/documents.mjs';
import { errors } from './cases/errors.mjs';
import { listeners } from './cases/listeners.mjs';
import { offline } from './cases/offline.mjs';
import { queries } from './cases/queries.mjs';
import { restarts } from './cases/restarts.mjs';
import { transactions } from './cases/transactions.mjs';
import { values } from './cases/values.mjs';
import { writes } from './cases/writes.mjs';

const CASES = {
  documents,
  values,
  writes,
  queries,
  aggregates,
  transactions,
  converters,
  listeners,
  offline,
  bundles,
  restarts,
  errors,
};

/** Default limit of one case, in milliseconds. */
const LIMIT = 60_000;

/** Cases that run at once; fewer in a browser, which has six connections for all of them. */
const AT_ONCE = 8;
const AT_ONCE_IN_BROWSER = 3;

/** Runs everything the driver can do; answers `[{ name, error?, skipped?, milliseconds }]`. */
export async function runCases(driver, host, only = '') {
  const cases = Object.entries(CASES)
    .flatMap(([group, list]) => list.map((one) => ({ ...one, name: `${group}: ${one.name}` })))
    .filter((one) => one.name.includes(only));
  const results = new Array(cases.length);
  let next = 0;
  const worker = async () => {
    while (next < cases.length) {
      const index = next++;
      results[index] = await runCase(driver, host, cases[index], index);
    }
  };
  await Promise.all(Array.from({ length: driver.can.has('browser') ? AT_ONCE_IN_BROWSER : AT_ONCE }, worker));
  return results;
}

async function runCase(driver, host, { name, needs = [], run, limit: most = LIMIT }, index) {
  if (!needs.every((need) => driver.can.has(need))) return { name, skipped: true, milliseconds: 0 };
  const started = Date.now();
  let names = 0;
  const scope = { host, collection: () => `${driver.name}-${index}-${++names}-${started.toString(36)}` };
  let timer;
  const limit = new Promise((_done, failed) => {
    timer = setTimeout(() => failed(new Error(`not done after ${most} ms`)), most);
  });
  try {
    await Promise.race([run(driver, scope), limit]);
    return { name, milliseconds: Date.now() - started };
  } catch (error) {
    return { name, error: String(error?.stack ?? error), milliseconds: Date.now() - started };
  } finally {
    clearTimeout(timer);
  }
}
