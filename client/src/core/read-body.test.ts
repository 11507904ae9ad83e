import { describe, expect, test } from 'vitest';
import { BodyTooLarge, readBody } from './read-body.ts';

/** A body of chunks, and the number of them that were asked for. */
function bodyOf(chunks: readonly Uint8Array[]) {
  let asked = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const chunk = chunks[asked++];
        if (chunk) controller.enqueue(chunk);
        else controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  return { body, asked: () => asked };
}

describe('a body', () => {
  test('of at most the limit is read whole', async () => {
    const { body } = bodyOf([Uint8Array.of(1, 2), Uint8Array.of(3)]);
    expect(await readBody({ body }, 3)).toEqual(Uint8Array.of(1, 2, 3));
    expect(await readBody({ body: null }, 3)).toEqual(new Uint8Array());
  });

  test('beyond the limit is not downloaded further', async () => {
    const { body, asked } = bodyOf(Array.from({ length: 1_000 }, () => new Uint8Array(10)));
    await expect(readBody({ body }, 25)).rejects.toBeInstanceOf(BodyTooLarge);
    expect(asked()).toBe(3);
  });

  test('that is announced as too large is not downloaded at all', async () => {
    const { body, asked } = bodyOf([new Uint8Array(10)]);
    const headers = new Headers({ 'content-length': '26' });
    await expect(readBody({ body, headers }, 25)).rejects.toBeInstanceOf(BodyTooLarge);
    expect(asked()).toBe(0);
  });
});
