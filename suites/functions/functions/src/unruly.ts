/** Misbehaving functions; none may harm any other. */

import { onCall, onRequest } from 'firebase-functions/v2/https';

function forever(): never {
  for (;;);
}

function takeAllMemory(): never {
  const kept: number[][] = [];
  for (;;) kept.push(new Array<number>(1e6).fill(kept.length));
}

function printMuch() {
  for (let n = 0; n < 20_000; n++) console.log('x'.repeat(200));
}

/** Longer than an event loop may be silent before it counts as late. */
function block(ms: number) {
  for (const end = Date.now() + ms; Date.now() < end; );
}

export const occupy = onRequest((_request, response) => {
  block(1_500);
  response.send('done');
});
export const say = onRequest((request, response) => {
  console.log(`said ${request.body}`);
  response.send(request.body);
});
export const loop = onRequest({ timeoutSeconds: 3 }, () => forever());
export const hog = onRequest(() => takeAllMemory());
export const quit = onRequest(() => process.exit(3));
export const shout = onRequest((_request, response) => {
  printMuch();
  response.send('done');
});

export const spin = onCall({ timeoutSeconds: 5 }, () => forever());
export const fill = onCall(() => takeAllMemory());
export const leave = onCall(() => process.exit(3));
export const roar = onCall(() => {
  printMuch();
  process.stdout.write('y'.repeat(4_000_000));
});
