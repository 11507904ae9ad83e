// The tests of the web API with the official package, as they run in a page: `suite` is what Node drives.
import { tests } from './common.mjs';
import { sdk, storageOf } from './official.mjs';
import { webTests } from './web.mjs';

/** Registers the tests against the server at an address and answers their names. */
export function start(origin) {
  webTests({ origin }, 'firebase/storage in Chrome', sdk, storageOf);
  return tests.map(({ name }) => name);
}

/** Runs one; answers what is wrong, or nothing. */
export async function run(index) {
  try {
    await tests[index].body();
    return null;
  } catch (error) {
    return `${error}\n${error?.stack ?? ''}`;
  }
}
