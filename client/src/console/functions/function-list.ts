import { ask, emulator } from '../server/server.ts';

/** A function, as the server tells of it. */
export interface FunctionInfo {
  readonly name: string;
  readonly regions: readonly string[];
  readonly runtime: 'native' | 'node';
  readonly generation?: 1 | 2;
  readonly kind: 'callable' | 'https' | 'event' | 'schedule' | 'task' | 'blocking';
  readonly trigger?: {
    readonly eventType?: string;
    readonly filters?: Readonly<Record<string, string>>;
    readonly retry?: boolean;
    readonly schedule?: string;
    readonly timeZone?: string | null;
  } | null;
}

/** All functions, by name. */
export async function listFunctions(): Promise<readonly FunctionInfo[]> {
  const { functions } = await ask<{ functions: FunctionInfo[] }>(emulator('functions'));
  return functions;
}

const KINDS = {
  callable: 'Callable',
  https: 'HTTPS',
  event: 'Event',
  schedule: 'Schedule',
  task: 'Task queue',
  blocking: 'Sign-in',
} as const;

/** Kind of trigger, in a word. */
export function kindName({ kind }: FunctionInfo): string {
  return KINDS[kind];
}

/** Description of the trigger, in a line. */
export function triggerLine({ trigger }: FunctionInfo): string {
  if (!trigger) return '';
  if (trigger.schedule !== undefined) {
    return trigger.timeZone ? `${trigger.schedule}, ${trigger.timeZone}` : trigger.schedule;
  }
  const type = trigger.eventType?.split('.').slice(-2).join('.') ?? '';
  // The default filter, which every trigger has, is left out.
  const told = Object.values(trigger.filters ?? {}).filter((filter) => filter !== '(default)');
  const filters = told.map((filter) => filter.split('/documents/').pop());
  return [type, ...filters].filter(Boolean).join(' · ');
}
