import {
  type CollectionReference,
  type DocumentReference,
  deleteDoc,
  doc,
  onSnapshot,
  type QueryDocumentSnapshot,
  serverTimestamp,
  setDoc,
} from '@sdk/firestore';
import { useEffect, useRef } from 'react';
import { nameInToken, sessionUser } from '../account/session.ts';
import { type Presence, presenceSchema, readDocument, type WithId } from '../documents/documents.ts';
import { openProject, type Project } from '../project/open-project.ts';
import { readOpenedId } from '../versions/opened.ts';
import { PresenceSession } from './presence-session.ts';

/** This window among all that show parts of projects. */
const WINDOW_ID = crypto.randomUUID();
/** Key of what this tab showed last, whose cursor a reload leaves behind. */
const LAST_SHOWN_KEY = 'tuckbox-presence';

/** Parts of a project in which people see each other: tables of components, layouts and texts of rulebooks. */
const MEETINGS = {
  component: (project: Project, id: string) => project.presences(id),
  layout: (project: Project, id: string) => project.layoutPresences(id),
  rulebook: (project: Project, id: string) => project.rulebookPresences(id),
} as const;

/** A part of a project in which people see each other. */
export interface Meeting {
  readonly kind: keyof typeof MEETINGS;
  readonly id: string;
}

const presencesIn = (project: Project, { kind, id }: Meeting): CollectionReference =>
  MEETINGS[kind](project, id);

/** The presence that this tab left behind when it was loaded anew, if any. From here on it is the new one. */
function leftBehind(project: Project, meeting: Meeting): DocumentReference | undefined {
  try {
    const found = sessionStorage.getItem(LAST_SHOWN_KEY)?.split(' ') ?? [];
    const uid = sessionUser()?.uid ?? '';
    const shown = [project.owner, project.id, meeting.kind, meeting.id, WINDOW_ID, uid];
    sessionStorage.setItem(LAST_SHOWN_KEY, shown.join(' '));
    const [owner, id, kind, last, window, by] = found;
    if (!owner || !id || !last || !window || window === WINDOW_ID) return undefined;
    // Another account's presence is not this one's to take away.
    if (by !== uid || !kind || !Object.hasOwn(MEETINGS, kind)) return undefined;
    const met = { kind: kind as Meeting['kind'], id: last };
    return doc(presencesIn(openProject({ id, owner }), met), window);
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

/** Most zones of a selection that others are told of, and most letters of their ids. */
const MAX_TOLD_ZONES = 50;
const MAX_TOLD_ID = 79;

/** A cursor in a layout: the zones selected, and the pointer on the card in millimetres. */
export interface LayoutCursor {
  readonly zones: readonly string[];
  readonly x: number | null;
  readonly y: number | null;
}

/** A selection and a pointer as others are told them. */
export const layoutCursor = (
  selection: readonly string[],
  pointer: { readonly x: number; readonly y: number } | null,
): LayoutCursor => ({
  zones: selection.filter(({ length }) => length <= MAX_TOLD_ID).slice(0, MAX_TOLD_ZONES),
  x: pointer && Math.round(pointer.x * 10) / 10,
  y: pointer && Math.round(pointer.y * 10) / 10,
});

type Place = Cursor | TextCursor | LayoutCursor;

const NOWHERE = {
  component: { card: null, column: null, editing: false },
  layout: { zones: [], x: null, y: null },
  rulebook: { block: null, offset: 0 },
} as const;

/** A number for a colour, the same for the same window. */
function hueOf(id: string): number {
  let sum = 0;
  for (const char of id) sum = (sum * 31 + char.charCodeAt(0)) % 997;
  return sum;
}

/**
 * Tells other windows where this one's cursor is, and hears where theirs are. A window that closes takes its document
 * along.
 */
export function usePresence(
  project: Project,
  { kind, id: met }: Meeting,
  cursor: Place | undefined,
  onPeers: (peers: readonly WithId<Presence>[]) => void,
): void {
  const showPeers = useRef(onPeers);
  showPeers.current = onPeers;
  const now = useRef(cursor);
  now.current = cursor;
  const session = useRef<PresenceSession<Place, WithId<Presence>>>(undefined);

  useEffect(() => {
    // Nobody meets in a version, where nobody may write, nor in a project that lies in this browser alone.
    if (readOpenedId(project.id) || project.inBrowser) return;
    const meeting = { kind, id: met };
    const presences = presencesIn(project, meeting);
    const own = doc(presences, WINDOW_ID);
    const here = new PresenceSession<Place, WithId<Presence>>({
      report: (place) =>
        setDoc(own, {
          uid: sessionUser()?.uid ?? '',
          name: nameInToken() || 'Somebody',
          hue: hueOf(WINDOW_ID),
          ...(place ?? NOWHERE[kind]),
          at: serverTimestamp(),
        }),
      withdraw: () => deleteDoc(own),
      clear: (window) => deleteDoc(doc(presences, window)),
      onPeers: (peers) => showPeers.current(peers),
    });
    session.current = here;
    here.move(now.current);
    const stop = onSnapshot(
      presences,
      (snapshot) => here.receive(snapshot.docs.flatMap((found) => peerIn(found))),
      () => undefined,
    );
    const orphan = leftBehind(project, meeting);
    // A copy of this tab that is still there says so again with its next heartbeat.
    if (orphan) void deleteDoc(orphan).catch(() => undefined);
    const leave = () => here.leave();
    const turn = () => (document.visibilityState === 'hidden' ? here.hide() : here.show());
    turn();
    window.addEventListener('pagehide', leave);
    document.addEventListener('visibilitychange', turn);
    return () => {
      stop();
      window.removeEventListener('pagehide', leave);
      document.removeEventListener('visibilitychange', turn);
      session.current = undefined;
      leave();
    };
  }, [project, kind, met]);

  useEffect(() => session.current?.move(now.current));
}

/** Another window's document; one of an unknown shape is nobody's cursor. */
function peerIn(found: QueryDocumentSnapshot): readonly WithId<Presence>[] {
  if (found.id === WINDOW_ID) return [];
  try {
    return [{ ...readDocument(presenceSchema, found.ref.path, found.data()), id: found.id }];
  } catch {
    return [];
  }
}
