import { collectionGroup, deleteDoc, doc, orderBy, query, where } from '@sdk/firestore';
import { httpsCallable } from '@sdk/functions';
import * as z from 'zod';
import { getCallables, getDb } from './database.ts';
import { type Project, ROLES, type Role } from './documents.ts';
import { useLiveList } from './live.ts';
import { paths } from './paths.ts';
import { ownerOfProject } from './project-owner.ts';
import { sessionUser, useUser } from './session.ts';

/** How long an invitation is good for unless said otherwise, in days, and what can be said. */
export const INVITATION_DAYS = 7;
export const INVITATION_DAY_CHOICES = [1, 7, 30, 90] as const;

/** How many people a link lets in unless said otherwise, and what can be said. */
export const LINK_USES = 20;
export const LINK_USE_CHOICES = [1, 5, 20, 100] as const;

/** What roles are called. */
export const ROLE_NAMES: Readonly<Record<Role, string>> = {
  owner: 'Owner',
  editor: 'Editor',
  commenter: 'Commenter',
  viewer: 'Viewer',
  playtester: 'Playtester',
};

/** What roles may do, in a line each. */
export const ROLE_WORDS: Readonly<Record<Role, string>> = {
  owner: 'Everything, and says who works on the project',
  editor: 'Changes cards, layouts and notes',
  commenter: 'Sees everything and comments on cards',
  viewer: 'Sees everything, changes nothing',
  playtester: 'Sees the title page; plays without spoilers',
};

/** A user's role in a project; `undefined` for strangers. The server decides by the same. */
export function roleOf(project: Pick<Project, 'members'>, uid: string, owner: string): Role | undefined {
  if (uid === owner) return 'owner';
  const role = Object.hasOwn(project.members, uid) ? project.members[uid] : undefined;
  return ROLES.find((one) => one === role);
}

/** Whether a role sees what is in a project. */
export const sees = (role: Role | undefined): boolean => role !== undefined && role !== 'playtester';
/** Whether a role changes what is in a project. */
export const edits = (role: Role | undefined): boolean => role === 'owner' || role === 'editor';
/** Whether a role comments on cards. */
export const comments = (role: Role | undefined): boolean => edits(role) || role === 'commenter';

/** Whether somebody else sees a project too. */
export const isShared = (project: Pick<Project, 'members'> | undefined): boolean =>
  project !== undefined && Object.keys(project.members).length > 0;

/**
 * Whether somebody else works on a project or once did. Who joins first finds its layouts opened; from then on each is
 * opened as it is connected.
 */
export const opensLayouts = (project: Pick<Project, 'members' | 'memberIds'> | undefined): boolean =>
  project !== undefined && (project.memberIds !== undefined || isShared(project));

export const invitationSchema = z.object({
  role: z.enum(ROLES),
  /** Whom it is for; without one it is for whoever has the link. */
  email: z.string().optional(),
  invitedBy: z.string().default(''),
  deckName: z.string().nullable().default(''),
  ownerId: z.string(),
  deckId: z.string(),
  createdAt: z.number(),
  /** Milliseconds since 1970. */
  expiresAt: z.number(),
  /** How many people may come by a link; the oldest links do not say. */
  uses: z.number().optional(),
  /** Who came by a link, and when. */
  joined: z.record(z.string(), z.number()).catch({}).default({}),
});
export type Invitation = z.infer<typeof invitationSchema>;

/** An invitation by its address. */
export interface InvitationName {
  readonly ownerId: string;
  readonly deckId: string;
  readonly invitation: string;
}

/** What an invitation is to. */
export interface ShownInvitation {
  readonly deckName: string;
  readonly invitedBy: string;
  readonly role: Role;
  readonly expiresAt: number;
  /** The user sees the project already. */
  readonly member: boolean;
}

/** A project's open invitations, newest first. */
export const useInvitations = (project: string) =>
  useLiveList(
    [paths.invitations(project).path],
    query(paths.invitations(project), orderBy('createdAt', 'desc')),
    invitationSchema,
  );

/** Invitations for the user's own verified address. */
export function useMyInvitations() {
  const { email, emailVerified } = useUser();
  const address = email.toLowerCase();
  return useLiveList(
    emailVerified ? ['my invitations', address] : undefined,
    query(collectionGroup(getDb(), 'invitations'), where('email', '==', address)),
    invitationSchema,
  );
}

async function call<Q, R>(name: string, request: Q): Promise<R> {
  return (await httpsCallable<Q, R>(getCallables(), name)(request)).data;
}

const ownerId = (project: string) => ownerOfProject(project) ?? sessionUser()?.uid ?? '';

/** An invitation that was made. */
export interface Invited {
  readonly invitation: string;
  /** Whether the address was written to. */
  readonly mailed: boolean;
}

/** Makes an invitation, for one e-mail address or for whoever has its link. */
export async function invite(
  project: string,
  { role, email, days, uses }: { role: Role; email: string | undefined; days: number; uses: number },
): Promise<Invited> {
  const request = {
    ownerId: ownerId(project),
    deckId: project,
    role,
    days,
    ...(email ? { email } : { uses }),
  };
  const invited = await call<object, Invited>('inviteToDeck', request);
  // Whoever accepts sees the pictures at once; should this fail, it is done when the project is next opened.
  void import('./images/project-images.ts')
    .then(({ shareImages }) => shareImages(project))
    .catch(() => undefined);
  return invited;
}

/** Withdraws an invitation: its link leads nowhere. */
export function withdraw(project: string, invitation: string): Promise<void> {
  return deleteDoc(paths.invitation(project, invitation));
}

/** The address at which an invitation is accepted. */
export function invitationLink(project: string, invitation: string): string {
  return `${window.location.origin}/invitations/${ownerId(project)}/${project}/${invitation}`;
}

export const readInvitation = (name: InvitationName): Promise<ShownInvitation> =>
  call('readInvitation', name);

export const acceptInvitation = (name: InvitationName): Promise<{ role: Role }> =>
  call('acceptInvitation', name);

/** Turns an invitation for the user's own address down. */
export function declineInvitation({ ownerId, deckId: projectId, invitation }: InvitationName): Promise<void> {
  return deleteDoc(doc(getDb(), 'users', ownerId, 'decks', projectId, 'invitations', invitation));
}

/** Gives a member another role, or takes them out. */
export function changeMember(project: string, uid: string, role: Role | undefined): Promise<unknown> {
  return call('changeMember', { ownerId: ownerId(project), deckId: project, uid, ...(role && { role }) });
}

/** Goes from somebody else's project. */
export function leaveProject(project: string, owner: string): Promise<unknown> {
  return call('changeMember', { ownerId: owner, deckId: project, uid: sessionUser()?.uid ?? '' });
}
