import { describeError } from '../../data/server/messages.ts';
import { toasts } from '../../ui/toasts/engine.ts';

/** A failure is read, not only seen. */
const FAILURE_MS = 8_000;

/** Says why something failed. @param stays until it is closed: for words that are acted on elsewhere */
export function tellFailure(error: unknown, stays?: 'stays'): void {
  toasts.show(describeError(error), { type: 'error', autoCloseTime: stays ? 0 : FAILURE_MS });
}
