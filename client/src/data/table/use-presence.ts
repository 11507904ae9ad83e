import {
  type CollectionReference,
  type DocumentReference,
  deleteDoc,
  doc,
  onSnapshot,
  serverTimestamp,
  setDoc,
} from '@sdk/firestore';
import { useEffect, useRef } from 'react';
import { nameInToken, sessionUser } from '../account/session.ts';
import { type Presence, presenceSchema, readDocument, type WithId } from '../documents/documents.ts';
import { openProject, type Project } from '../project/open-project.ts';
import { readOpenedId } from '../versions/opened.ts';

/** Shortest interval between reports of a cursor, in milliseconds. */
const TELL_EVERY_MS = 300;
/** Interval of a window's heartbeat, in milliseconds. */
const HEARTBEAT_MS = 20_000;
/** A window that was silent for so long is gone, in milliseconds. */
export const EXPIRY_MS = 50_000;

/** This window among all that show tables and rulebooks. */
const WINDOW_ID = crypto.randomUUID();
/** Key of what this tab showed last, whose cursor a reload leaves behind. */
const LAST_SHOWN_KEY = 'tuckbox-presence';

/** A part of a project in which people see each other: the table of a component, or the text of a rulebook. */
export interface Meeting {
  readonly kind: 'component' | 'rulebook';
  readonly id: string;
}

const presencesIn = (project: Project, { kind, id }: Meeting): CollectionReference =>
  kind === 'component' ? project.presences(id) : project.rulebookPresences(id);

/** The presence that this tab left behind when it was loaded anew, if any. From here on it is the new one. */
function leftBehind(project: Project, meeting: Meeting): DocumentReference | undefined {
  try {
    const found = sessionStorage.getItem(LAST_SHOWN_KEY)?.split(' ') ?? [];
    const shown = [project.owner, project.id, meeting.kind, meeting.id, WINDOW_ID];
    sessionStorage.setItem(LAST_SHOWN_KEY, shown.join(' '));
    const [owner, id, kind, last, window] = found;
    if (!owner || !id || !last || !window || window === WINDOW_ID) return undefined;
    if (kind !== 'component' && kind !== 'rulebook') return undefined;
    return doc(presencesIn(openProject({ id, owner }), { kind, id: last }), window);
  } catch {
    // Without storage the silent window is forgotten when it expires.
    return undefined;
  }
}

/** A cursor in a table. */
export interface Cursor {
  readonly card: string;
  readonly column: string;
  readonly editing: boolean;
}

/** A cursor in a text: the block it is in, and how far. */
export interface TextCursor {
  readonly block: string;
  readonly offset: number;
}

const NOWHERE = {
  component: { card: null, column: null, editing: false },
  rulebook: { block: null, offset: 0 },
} as const;

/** A number for a colour, the same for the same window. */
function hueOf(id: string): number {
  let sum = 0;
  for (const char of id) sum = (sum * 31 + char.charCodeAt(0)) % 997;
  return sum;
}

/**
 * Tells other windows where this one's cursor is, and hears where theirs are. Cursors are told only
 * while somebody is there to see them; a window that closes takes its document along, one that
 * crashes is forgotten when it was silent too long.
 */
export function usePresence(
  project: Project,
  { kind, id: met }: Meeting,
  cursor: Cursor | TextCursor | undefined,
  onPeers: (peers: readonly WithId<Presence>[]) => void,
): void {
  const now = useRef(cursor);
  now.current = cursor;
  const hear = useRef(onPeers);
  hear.current = onPeers;
  const tell = useRef<() => void>(() => {});

  useEffect(() => {
    // Nobody meets in a version, where nobody may write, nor in a project that lies in this browser alone.
    if (readOpenedId(project.id) || project.inBrowser) return;
    const meeting = { kind, id: met };
    const presences = presencesIn(project, meeting);
    const own = doc(presences, WINDOW_ID);
    const heard = new Map<string, { peer: WithId<Presence>; at: number; when: number }>();
    let last = '';
    let timer: ReturnType<typeof setTimeout> | undefined;
    let gone = false;
    const write = () => {
      timer = undefined;
      if (gone) return;
      const alone = heard.size === 0;
      const at = alone ? undefined : now.current;
      const state = {
        uid: sessionUser()?.uid ?? '',
        name: nameInToken() || 'Somebody',
        hue: hueOf(WINDOW_ID),
        ...(at ?? NOWHERE[kind]),
      };
      last = JSON.stringify(at ?? null);
      // Not knowing where somebody is does no harm: the next heartbeat says it again.
      void setDoc(own, { ...state, at: serverTimestamp() }).catch(() => undefined);
    };
    tell.current = () => {
      if (heard.size === 0 || JSON.stringify(now.current ?? null) === last) return;
      timer ??= setTimeout(write, TELL_EVERY_MS);
    };
    const publish = () => {
      const alive = Date.now() - EXPIRY_MS;
      for (const [id, { when }] of heard) if (when < alive) heard.delete(id);
      hear.current([...heard.values()].map(({ peer }) => peer));
    };
    let first = true;
    const stop = onSnapshot(
      presences,
      (snapshot) => {
        const ids = new Set<string>();
        const before = heard.size;
        for (const found of snapshot.docs) {
          if (found.id === WINDOW_ID) continue;
          try {
            const peer = { ...readDocument(presenceSchema, found.ref.path, found.data()), id: found.id };
            ids.add(found.id);
            const old = heard.get(found.id);
            // Peers from before this window may be long gone: only this window's clock decides.
            const fresh = old ? old.at !== peer.at : !first || Date.now() - peer.at < EXPIRY_MS;
            if (fresh) heard.set(found.id, { peer, at: peer.at, when: Date.now() });
          } catch {
            // A document of an unknown shape is nobody's cursor.
          }
        }
        for (const id of heard.keys()) if (!ids.has(id)) heard.delete(id);
        first = false;
        if (before === 0 && heard.size > 0) timer ??= setTimeout(write, 0);
        publish();
      },
      () => undefined,
    );
    const orphan = leftBehind(project, meeting);
    // A copy of this tab that is still there says so again with its next heartbeat.
    if (orphan) void deleteDoc(orphan).catch(() => undefined);
    write();
    const heartbeat = setInterval(() => {
      write();
      publish();
    }, HEARTBEAT_MS);
    const leave = () => {
      gone = true;
      void deleteDoc(own).catch(() => undefined);
    };
    window.addEventListener('pagehide', leave);
    return () => {
      stop();
      clearInterval(heartbeat);
      clearTimeout(timer);
      window.removeEventListener('pagehide', leave);
      tell.current = () => {};
      leave();
      hear.current([]);
    };
  }, [project, kind, met]);

  useEffect(() => tell.current());
}
