import { collectionGroup, deleteDoc, orderBy, query, where } from '@sdk/firestore';
import { httpsCallable } from '@sdk/functions';
import * as z from 'zod';
import { own } from '../../core/records.ts';
import { sessionUser, useUser } from '../account/session.ts';
import { nameSchema, type ProjectDocument, ROLES, type Role } from '../documents/documents.ts';
import { getCallables, getDb } from '../server/database.ts';
import { useLiveList } from '../server/live.ts';
import { INVITATION_GROUP, type ProjectName } from './addresses.ts';
import { openProject, type Project } from './open-project.ts';

/** Default lifetime of an invitation in days, and the choices. */
export const INVITATION_DAYS = 7;
export const INVITATION_DAY_CHOICES = [1, 7, 30, 90] as const;

/** Default number of people a link admits, and the choices. */
export const LINK_USES = 20;
export const LINK_USE_CHOICES = [1, 5, 20, 100] as const;

/** Display names of the roles. */
export const ROLE_NAMES: Readonly<Record<Role, string>> = {
  owner: 'Owner',
  editor: 'Editor',
  translator: 'Translator',
  commenter: 'Commenter',
  viewer: 'Viewer',
  playtester: 'Playtester',
};

/** Rights of the roles, in a line each. */
export const ROLE_WORDS: Readonly<Record<Role, string>> = {
  owner: 'Everything, and says who works on the project',
  editor: 'Changes cards, layouts and notes',
  translator: 'Sees everything, comments, and writes translations into the languages chosen',
  commenter: 'Sees everything and comments on cards',
  viewer: 'Sees everything, changes nothing',
  playtester: 'Sees the title page; plays at its tables',
};

/** A user's role in a project; `undefined` for strangers. The server decides by the same. */
export function roleOf(project: Pick<ProjectDocument, 'members'>, uid: string): Role | undefined {
  const role = Object.hasOwn(project.members, uid) ? project.members[uid] : undefined;
  return ROLES.find((one) => one === role);
}

/** True if the role may read a project's contents. */
export const sees = (role: Role | undefined): boolean => role !== undefined && role !== 'playtester';
/** True if the role may change a project's contents. */
export const edits = (role: Role | undefined): boolean => role === 'owner' || role === 'editor';
/** True if the role may comment on cards. */
export const comments = (role: Role | undefined): boolean =>
  edits(role) || role === 'translator' || role === 'commenter';

/** Languages that a translator writes; none for anybody else. */
export const languagesOf = (
  project: Pick<ProjectDocument, 'members' | 'translates'>,
  uid: string,
): readonly string[] =>
  roleOf(project, uid) === 'translator' ? (own(project.translates, uid) ?? NO_LANGUAGES) : NO_LANGUAGES;

const NO_LANGUAGES: readonly string[] = [];

/** Members besides the owner, each with their role. */
export const otherMembers = ({ members, owner }: Pick<ProjectDocument, 'members' | 'owner'>) =>
  Object.entries(members).filter(([uid]) => uid !== owner);

/** True if other people see the project too. */
export const isShared = (project: Pick<ProjectDocument, 'members' | 'owner'> | undefined): boolean =>
  project !== undefined && otherMembers(project).length > 0;

export const invitationSchema = z.object({
  role: z.enum(ROLES),
  /** Of a translator. */
  languages: z.array(z.string()).catch([]).default([]),
  /** Address of the invited person; without one the invitation is for anyone with the link. */
  email: z.string().optional(),
  invitedBy: nameSchema.default(''),
  deckName: nameSchema.nullable().default(''),
  ownerId: z.string(),
  deckId: z.string(),
  createdAt: z.number(),
  /** Milliseconds since 1970. */
  expiresAt: z.number(),
  /** Number of people the link admits; the oldest links have none stored. */
  uses: z.number().optional(),
  /** People who joined by the link, with the time. */
  joined: z.record(z.string(), z.number()).catch({}).default({}),
});
export type Invitation = z.infer<typeof invitationSchema>;

/** An invitation by its address. */
export interface InvitationName {
  readonly ownerId: string;
  readonly deckId: string;
  readonly invitation: string;
}

/** Invitation as shown to the invited person. */
export interface ShownInvitation {
  readonly deckName: string;
  readonly invitedBy: string;
  readonly role: Role;
  /** Of a translator. */
  readonly languages: readonly string[];
  readonly expiresAt: number;
  /** Role of a user who is a member already. */
  readonly held?: Role | undefined;
  /** True if the user gets a role by it, a larger one, or further languages. */
  readonly gains: boolean;
}

/** A project's open invitations, newest first. */
export const useInvitations = (project: Project) =>
  useLiveList(
    [project.invitations.path],
    query(project.invitations, orderBy('createdAt', 'desc')),
    invitationSchema,
  );

/** Invitations for the user's own verified address. */
export function useMyInvitations() {
  const { email, emailVerified } = useUser();
  const address = email.toLowerCase();
  return useLiveList(
    emailVerified ? ['my invitations', address] : undefined,
    query(collectionGroup(getDb(), INVITATION_GROUP), where('email', '==', address)),
    invitationSchema,
  );
}

/** A project as the callable functions name it. */
const wireName = ({ owner, id }: ProjectName) => ({ ownerId: owner, deckId: id });

async function call<Q, R>(name: string, request: Q): Promise<R> {
  return (await httpsCallable<Q, R>(getCallables(), name)(request)).data;
}

/** An invitation that was made. */
export interface Invited {
  readonly invitation: string;
  /** True if a mail was sent to the address. */
  readonly mailed: boolean;
}

/** Makes an invitation, for one e-mail address or for whoever has its link. */
export async function invite(
  project: Project,
  {
    role,
    languages,
    email,
    days,
    uses,
  }: {
    role: Role;
    /** Of a translator. */
    languages: readonly string[];
    email: string | undefined;
    days: number;
    uses: number;
  },
): Promise<Invited> {
  const request = {
    ...wireName(project),
    role,
    languages,
    days,
    ...(email ? { email } : { uses }),
  };
  const { adoptBeforeSharing } = await import('../images/project-images.ts');
  // Whoever accepts sees all images. Should it fail, the page of the project's images tells of it.
  await adoptBeforeSharing(project).catch(() => undefined);
  return call<object, Invited>('inviteToDeck', request);
}

/** Withdraws an invitation: its link leads nowhere. */
export function withdraw(project: Project, invitation: string): Promise<void> {
  return deleteDoc(project.invitation(invitation));
}

/** The address at which an invitation is accepted. */
export function invitationLink(project: Project, invitation: string): string {
  return `${window.location.origin}/invitations/${project.owner}/${project.id}/${invitation}`;
}

export const readInvitation = (name: InvitationName): Promise<ShownInvitation> =>
  call('readInvitation', name);

export const acceptInvitation = (name: InvitationName): Promise<{ role: Role }> =>
  call('acceptInvitation', name);

/** Turns an invitation for the user's own address down. */
export function declineInvitation({ ownerId, deckId, invitation }: InvitationName): Promise<void> {
  return deleteDoc(openProject({ id: deckId, owner: ownerId }).invitation(invitation));
}

/** Gives a member another role, or a translator other languages, or takes somebody out. */
export function changeMember(
  project: Project,
  uid: string,
  role: Role | undefined,
  languages: readonly string[] = NO_LANGUAGES,
): Promise<unknown> {
  return call('changeMember', { ...wireName(project), uid, ...(role && { role }), languages });
}

/** Goes from somebody else's project. */
export function leaveProject(project: ProjectName): Promise<unknown> {
  return call('changeMember', { ...wireName(project), uid: sessionUser()?.uid ?? '' });
}
