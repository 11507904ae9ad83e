/** A file with more bytes than its reader takes. The message goes on after the file's name: “is larger than …”. */
export class BodyTooLarge extends Error {
  override readonly name = 'BodyTooLarge';

  /** @param most bytes that its reader takes */
  constructor(most: number) {
    super(`is larger than ${Math.floor(most / 1024 / 1024)} MB. Save it smaller.`);
  }
}

/** The part of a `Response` that is read here. */
export interface AnswerBody {
  readonly body: ReadableStream<Uint8Array> | null;
  readonly headers?: Headers;
}

/**
 * Reads a body while it has at most `most` bytes. The rest is not downloaded: an announced length is checked first, and
 * the bytes are counted while they arrive.
 * @throws BodyTooLarge
 */
export async function readBody(
  { body, headers }: AnswerBody,
  most: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const refuse = async (): Promise<never> => {
    await body?.cancel().catch(() => undefined);
    throw new BodyTooLarge(most);
  };
  if (Number(headers?.get('content-length') ?? 0) > most) return refuse();
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = body?.getReader();
  while (reader) {
    const { value, done } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > most) {
      await reader.cancel().catch(() => undefined);
      throw new BodyTooLarge(most);
    }
    chunks.push(value);
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}
