import { doc, getDoc, onSnapshot } from '@sdk/firestore';
import { useEffect, useState, useSyncExternalStore } from 'react';
import * as z from 'zod';
import { getDb } from '../server/database.ts';

/** `site/state`: what the admins of this server tell everybody. Only the server writes it. */
const siteSchema = z.object({
  notice: z
    .object({ text: z.string(), level: z.enum(['info', 'warning']).catch('info') })
    .catch({ text: '', level: 'info' }),
  flags: z.record(z.string(), z.boolean()).catch({}),
});

export type SiteState = z.infer<typeof siteSchema>;

/** Switches an admin has, and what they turn off. All are on until one turns them off. */
export const FLAGS = {
  tutorials: 'Click-through tutorials in the help popup',
  sharing: 'Sharing layouts by link',
  brainstorm: 'The page Brainstorm',
  sampleTable: 'Tables of the sample game for visitors without an account',
} as const;
export type Flag = keyof typeof FLAGS;

export const UNKNOWN_SITE: SiteState = { notice: { text: '', level: 'info' }, flags: {} };

/** Parses a stored document of any shape. */
export function readSite(stored: unknown): SiteState {
  return siteSchema.safeParse(stored).data ?? UNKNOWN_SITE;
}

/** True if the flag is on. */
export const isOn = (site: SiteState, flag: Flag): boolean => site.flags[flag] ?? true;

let state: SiteState = UNKNOWN_SITE;
let users = 0;
let stop = () => {};
const observers = new Set<() => void>();

function hold(observer: () => void): () => void {
  observers.add(observer);
  if (users++ === 0) {
    stop = onSnapshot(
      doc(getDb(), 'site', 'state'),
      (snapshot) => {
        state = readSite(snapshot.data() ?? {});
        for (const one of observers) one();
      },
      // Without it everything is on and nothing is announced.
      (error) => console.warn('site/state cannot be read', error),
    );
  }
  return () => {
    observers.delete(observer);
    if (--users === 0) stop();
  };
}

const holdNothing = () => () => {};

/** The admins' settings, updated live while `asks` is true. */
export function useSite(asks: boolean): SiteState {
  return useSyncExternalStore(asks ? hold : holdNothing, () => state);
}

/** A switch as it is now, asked for once: visitors of the first pages hold no stream for it. On until it is known. */
export function useFlagOnce(flag: Flag): boolean {
  const [on, setOn] = useState(true);
  useEffect(() => {
    let left = false;
    getDoc(doc(getDb(), 'site', 'state')).then(
      (found) => !left && setOn(isOn(readSite(found.data() ?? {}), flag)),
      (error: unknown) => console.warn('site/state cannot be read', error),
    );
    return () => {
      left = true;
    };
  }, [flag]);
  return on;
}
