import { TRIAL_BASE } from '../../data/trial/place.ts';
import { startTrial as startDatabase } from '../../data/trial/trial.ts';
import { openTried } from './open-tried.ts';
import { type Parts, trialRoutes } from './routes.ts';

/**
 * Makes the page one of the trial, with the sample game unless something is there, and answers its pages and the path that
 * their addresses begin with.
 * @throws Error in words when the browser keeps nothing
 */
export async function startTrial(parts: Parts) {
  await startDatabase();
  await openTried();
  return { pages: trialRoutes(parts), basename: TRIAL_BASE };
}
