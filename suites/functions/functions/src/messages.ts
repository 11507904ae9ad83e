/** Functions that messages on a topic, events by name and the clock call. */

import { onCustomEventPublished } from 'firebase-functions/v2/eventarc';
import { onMessagePublished } from 'firebase-functions/v2/pubsub';
import { onSchedule } from 'firebase-functions/v2/scheduler';
import { log } from './log';

export const message = onMessagePublished('news', async ({ data: { message } }) => {
  await log('message', { id: message.attributes['id'], json: message.json, key: message.orderingKey });
});

export const custom = onCustomEventPublished<{ id: string }>('my.own.event', (event) =>
  log('custom', { id: event.data.id, subject: event.subject ?? null }),
);

export const tick = onSchedule('every 5 minutes', async (event) => {
  await log('tick', { id: event.jobName, at: event.scheduleTime });
});
