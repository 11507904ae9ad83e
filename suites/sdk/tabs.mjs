/** Several tabs of one browser over one cache: `firebase` with multi-tab persistence in headless Chromium. */

import { equal } from './check.mjs';
import { openChrome } from './chrome.mjs';

/** Limit of one case, in milliseconds: one takeover at its slowest, and all the rest. */
const LIMIT = 60_000;

/** A tab, every call of which runs inside its page. */
async function open(context, url, options) {
  const page = await context.newPage();
  const number = context.pages().length;
  if (process.env.VERBOSE)
    page.on('console', (message) =>
      console.log(`${new Date().toISOString().slice(17)} [tab ${number}] ${message.text()}`),
    );
  await page.goto(url);
  await page.evaluate((settings) => globalThis.suite.openTab(settings), options);
  const call =
    (method) =>
    (...args) =>
      page.evaluate(([name, list]) => globalThis.tab[name](...list), [method, args]);
  return new Proxy(
    { close: () => page.close(), reload: () => page.reload() },
    {
      get: (own, name) => own[name] ?? (name === 'then' ? undefined : call(name)),
    },
  );
}

const CASES = [
  {
    name: 'a write of one tab shows in the other before it is sent',
    async run(tab, collection) {
      const [one, two] = [await tab(), await tab()];
      await one.listen(collection);
      await two.listen(collection);
      await one.seen({ numbers: [] });
      await two.seen({ numbers: [] });
      await one.offline();
      await two.offline();
      await two.write(`${collection}/a`, { n: 1 });
      await one.seen({ numbers: [1], pending: true, fromCache: true });
      await one.online();
      await two.online();
      await one.seen({ numbers: [1] });
      await two.seen({ numbers: [1] });
    },
  },
  {
    name: 'when the tab that holds the connection closes, another takes over',
    async run(tab, collection) {
      const [one, two, writer] = [await tab(), await tab(), await tab({ alone: true })];
      await one.listen(collection);
      await two.listen(collection);
      await one.seen({ numbers: [] });
      await two.seen({ numbers: [] });
      await one.close();
      await writer.write(`${collection}/a`, { n: 1 });
      await two.seen({ numbers: [1] });
      await two.write(`${collection}/b`, { n: 2 });
      await two.flushed();
      await two.seen({ numbers: [1, 2] });
    },
  },
  {
    name: 'what was written offline survives the tab and is sent by the next',
    async run(tab, collection) {
      const one = await tab();
      await one.offline();
      await one.write(`${collection}/a`, { n: 1 });
      equal(await one.cached(`${collection}/a`), { n: 1 });
      await one.close();
      const two = await tab();
      equal(await two.cached(`${collection}/a`), { n: 1 });
      await two.flushed();
      const reader = await tab({ alone: true });
      await reader.listen(collection);
      await reader.seen({ numbers: [1] });
    },
  },
  {
    name: 'three tabs with one query share one stream and agree',
    async run(tab, collection) {
      const tabs = [await tab(), await tab(), await tab()];
      for (const one of tabs) await one.listen(collection);
      for (const one of tabs) await one.seen({ numbers: [] });
      const numbers = [];
      // One after another: where replies to later writes overtake the listener by 20 to 100 ms, the SDK's other tabs keep
      // the earlier write pending, with Google's emulator too.
      for (const [index, writer] of tabs.entries()) {
        await writer.write(`${collection}/d${index}`, { n: index });
        numbers.push(index);
        for (const one of tabs) await one.seen({ numbers });
      }
    },
  },
];

/** Answers the results, as `runCases` does. */
export async function runTabs({ host, port, only }) {
  const { url, browser, close } = await openChrome();
  try {
    const results = [];
    for (const [index, { name: title, run }] of CASES.entries()) {
      const name = `tabs: ${title}`;
      if (!name.includes(only)) continue;
      results.push(await runCase(browser, url, { host, port }, { name, run, index }));
    }
    return results;
  } finally {
    await close();
  }
}

async function runCase(browser, url, address, { name, run, index }) {
  const started = Date.now();
  const contexts = [await browser.newContext()];
  // One name for all tabs of an application: it names what they share.
  const tab = async ({ alone = false } = {}) => {
    if (alone) contexts.push(await browser.newContext());
    return open(alone ? contexts.at(-1) : contexts[0], url, {
      ...address,
      appName: 'tabs',
      log: process.env.SDK_LOG,
    });
  };
  let timer;
  const limit = new Promise((_done, failed) => {
    timer = setTimeout(() => failed(new Error(`not done after ${LIMIT} ms`)), LIMIT);
  });
  try {
    await Promise.race([run(tab, `tabs-${index}-${started.toString(36)}`), limit]);
    return { name, milliseconds: Date.now() - started };
  } catch (error) {
    return { name, error: String(error?.stack ?? error), milliseconds: Date.now() - started };
  } finally {
    clearTimeout(timer);
    for (const context of contexts) await context.close();
  }
}
