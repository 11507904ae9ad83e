import { httpsCallable } from '@sdk/functions';
import { getCallables } from '../server/database.ts';
import { getServices, type HostPlan, type PlanLimits } from '../server/firebase.ts';

/** The user's plan, and how much they have of what plans limit. */
export interface MyPlan {
  /** The plan's id; null on a server without plans. */
  readonly plan: string | null;
  /** True if the plan is a subscription. */
  readonly paid: boolean;
  /** True if the payment service has a page to manage it. */
  readonly manageable: boolean;
  /** With those in the trash. */
  readonly projects: number;
  readonly layouts: number;
  readonly images: number;
  readonly storageBytes: number;
  /** Null while the server counts. */
  readonly documentBytes: number | null;
}

function call<Request, Reply>(name: string): (request: Request) => Promise<Reply> {
  return async (request) => (await httpsCallable<Request, Reply>(getCallables(), name)(request)).data;
}

export const readMyPlan = call<null, MyPlan>('readMyPlan');
const start = call<{ plan: string }, { url: string }>('startCheckout');
const manage = call<null, { url: string }>('managePlan');
const give = call<{ uid: string; plan: string | null }, { plan: string | null }>('adminGivePlan');

/** The plans of this server, the smallest first; none where everything is free. */
export const offeredPlans = (): readonly HostPlan[] => getServices().host.plans ?? [];

/** Leaves for the payment service, to pay for a plan. */
export async function buyPlan(plan: string): Promise<void> {
  location.assign((await start({ plan })).url);
}

/** Leaves for the payment service, to change or end what is paid. */
export async function managePlan(): Promise<void> {
  location.assign((await manage(null)).url);
}

/** As an admin: gives somebody a plan, or takes a given one back. Answers the plan that holds now. */
export async function givePlan(uid: string, plan: string | null): Promise<string | null> {
  return (await give({ uid, plan })).plan;
}

const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'] as const;

/** A size as people say it: 100 MB is 104,857,600 bytes. */
export function sizeWords(bytes: number): string {
  let [size, unit] = [bytes, 0];
  while (size >= 1024 && unit < UNITS.length - 1) {
    size /= 1024;
    unit++;
  }
  return `${size.toLocaleString(undefined, { maximumFractionDigits: size < 10 ? 1 : 0 })} ${UNITS[unit]}`;
}

const count = (n: number, one: string, many: string) => `${n.toLocaleString()} ${n === 1 ? one : many}`;

/** A plan's limits, a line each; what it does not limit is not named. */
export function limitLines(limits: PlanLimits): readonly string[] {
  const { projects, layouts, images, members, storageBytes, documentBytes } = limits;
  return [
    projects !== undefined && count(projects, 'project', 'projects'),
    layouts !== undefined && count(layouts, 'layout', 'layouts'),
    images !== undefined && count(images, 'picture', 'pictures'),
    members !== undefined && `${count(members, 'member', 'members')} in a project beside you`,
    storageBytes !== undefined && `${sizeWords(storageBytes)} of files`,
    documentBytes !== undefined && `${sizeWords(documentBytes)} of documents`,
  ].filter((line) => line !== false);
}
