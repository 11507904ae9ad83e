/** Offers of projects: an owner hands a project over to one of its members, who accepts or declines. */

import { collection, doc, query, where } from '@sdk/firestore';
import { httpsCallable } from '@sdk/functions';
import * as z from 'zod';
import { useUser } from '../account/session.ts';
import { nameSchema } from '../documents/documents.ts';
import { getCallables, getDb } from '../server/database.ts';
import { useLiveDocument, useLiveList } from '../server/live.ts';
import type { Project } from './open-project.ts';

/** Collection of the offers, by the id of their project. */
const OFFERS = 'offers';

const offerSchema = z.object({
  projectName: nameSchema.catch('').default(''),
  /** Account of the owner. */
  from: z.string(),
  fromName: nameSchema.catch('').default(''),
  /** The member who may take it. */
  to: z.string(),
  toName: nameSchema.catch('').default(''),
  /** Milliseconds since 1970. */
  expiresAt: z.number(),
  /** The owner deletes their account, or has: the project goes when the offer ends. */
  closing: z.boolean().catch(false).default(false),
  /** The project is being deleted. */
  ended: z.boolean().catch(false).default(false),
});
export type Offer = z.infer<typeof offerSchema>;

/** True if an offer can still be answered. */
export const stands = ({ expiresAt, ended }: Offer): boolean => !ended && expiresAt > Date.now();

/** The open offer of a project; `undefined` without one. Kept up to date. */
export function useOfferOf(project: Project): Offer | undefined {
  const { data } = useLiveDocument(doc(getDb(), OFFERS, project.id), offerSchema);
  return data && stands(data) ? data : undefined;
}

/** Open offers of projects to the user, by the ids of the projects. Kept up to date. */
export function useMyOffers() {
  const { uid } = useUser();
  const { data } = useLiveList(
    ['my offers', uid],
    query(collection(getDb(), OFFERS), where('to', '==', uid)),
    offerSchema,
  );
  return (data?.items ?? []).filter(stands);
}

async function call<R>(name: string, request: object): Promise<R> {
  return (await httpsCallable<object, R>(getCallables(), name)(request)).data;
}

/** Offers a project of the user's to a member. `mailed` if a mail tells them. */
export const offerProject = (projectId: string, uid: string): Promise<{ readonly mailed: boolean }> =>
  call('offerProject', { projectId, uid });

/** Withdraws the offer of a project. */
export const withdrawOffer = (projectId: string): Promise<void> =>
  call('withdrawProjectOffer', { projectId });

/** Takes or declines a project that is offered to the user. */
export const answerOffer = (projectId: string, accept: boolean): Promise<void> =>
  call('answerProjectOffer', { projectId, accept });
