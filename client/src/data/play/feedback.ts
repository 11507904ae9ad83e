import type { Answer, Given, Question } from '../../core/play/results/feedback.ts';
import { callFunction } from '../server/database.ts';

/** The questions of a table's project. */
export interface FeedbackForm {
  /** Number of its last change. */
  readonly rev: number;
  readonly questions: readonly Question[];
  /** The own answers, if one has answered it. */
  readonly answers: readonly Answer[] | null;
}

export interface ProjectFeedback {
  readonly questions: readonly Question[];
  /** The last ones first. */
  readonly feedback: readonly Given[];
  /** True if there is more than is read. */
  readonly more: boolean;
}

export const feedbackForm = (table: string): Promise<FeedbackForm> => callFunction('feedbackForm', { table });

/** Sends answers to a form, in the place of earlier ones. */
export const sendFeedback = (table: string, rev: number, answers: readonly Answer[]): Promise<unknown> =>
  callFunction('sendFeedback', { table, rev, answers });

/** Feedback on a project, for its owner and editors. */
export const readFeedback = (projectId: string): Promise<ProjectFeedback> =>
  callFunction('readFeedback', { projectId });

export const setFeedbackForm = (projectId: string, questions: readonly Question[]): Promise<unknown> =>
  callFunction('setFeedbackForm', { projectId, questions });
