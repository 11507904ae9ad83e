/** Functions that run what was queued. */

import { onTaskDispatched } from 'firebase-functions/v2/tasks';
import { log } from './log';

export const task = onTaskDispatched<{ id: string; failures?: number }>(
  { retryConfig: { maxAttempts: 3, minBackoffSeconds: 0.1 } },
  async (request) => {
    const { id, failures = 0 } = request.data;
    if (request.retryCount < failures) throw new Error(`try ${request.retryCount} fails`);
    await log('task', { id, name: request.id, queue: request.queueName, retries: request.retryCount });
  },
);
