import { freezeQuietly } from './automatic.ts';

/**
 * A project is frozen when its first change of a day begins. Which day that was last is kept in the browser: another
 * browser asks once more, and the server makes nothing of it if nothing has changed.
 */

const keyOf = (project: string) => `tuckbox-frozen-day:${project}`;

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** Projects that are open to be changed, and how they are frozen. */
const armed = new Map<string, () => void>();

/**
 * From now on the first change of a day freezes the project. A project is not frozen on the day on which it was made.
 * @returns ends that
 */
export function freezeDaily(
  project: { readonly id: string; readonly createdAt: number },
  now: () => number = Date.now,
  freeze: (project: { readonly id: string }, reason: 'daily') => Promise<void> = freezeQuietly,
): () => void {
  const { id, createdAt } = project;
  const begin = () => {
    const today = dayOf(now());
    if (dayOf(createdAt || now()) === today || lastDay(id) === today) return;
    noteDay(id, today);
    void freeze({ id }, 'daily');
  };
  armed.set(id, begin);
  return () => {
    if (armed.get(id) === begin) armed.delete(id);
  };
}

/** A change of a project begins. @param project its id */
export function changeBegins(project: string): void {
  armed.get(project)?.();
}

function lastDay(project: string): string | null {
  try {
    return localStorage.getItem(keyOf(project));
  } catch {
    return null;
  }
}

function noteDay(project: string, day: string): void {
  try {
    localStorage.setItem(keyOf(project), day);
  } catch {
    // Without storage the server is asked with each change: once a page would be better than never.
    armed.delete(project);
  }
}
