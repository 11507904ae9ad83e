import type { Firestore } from '@sdk/firestore';
import { expect, it, vi } from 'vitest';

vi.mock('@sdk/firestore', () => ({ initializeFirestore: () => ({ type: 'firestore' }) }));
vi.mock('./firebase.ts', () => ({ getServices: () => ({ app: {}, host: {} }) }));

it('runs on a database in the browser, and then has no functions and files', async () => {
  const { getCallables, getDb, isInBrowser, runOn, runsInBrowser } = await import('./database.ts');
  const { fileStore } = await import('./files.ts');
  const inBrowser = { type: 'firestore' } as Firestore;
  expect(runsInBrowser()).toBe(false);
  runOn(inBrowser);
  expect([getDb(), runsInBrowser(), isInBrowser(inBrowser)]).toEqual([inBrowser, true, true]);
  expect(isInBrowser({ type: 'firestore' } as Firestore)).toBe(false);
  expect(getCallables).toThrow('needs an account');
  expect(fileStore).toThrow('needs an account');
  expect(() => runOn(inBrowser)).toThrow('in use already');
});

it('cannot change over once the server’s is in use', async () => {
  vi.resetModules();
  vi.stubGlobal('window', { location: { host: 'cards.test', protocol: 'https:' } });
  const { getDb, isInBrowser, runOn } = await import('./database.ts');
  expect(isInBrowser(getDb())).toBe(false);
  expect(() => runOn({ type: 'firestore' } as Firestore)).toThrow('in use already');
  vi.unstubAllGlobals();
});
