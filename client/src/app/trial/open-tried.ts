import { trialProject } from '../../data/trial/trial.ts';
import { driftglass } from '../pages/projects/sample/driftglass.ts';

/** Id of the project that is tried; without one the sample game is opened. */
export const openTried = (): Promise<string> => trialProject(driftglass);
