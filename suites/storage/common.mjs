// Shared parts of the drivers, in Node and in a page.
export const PROJECT = 'demo-tuckbox';
export const BUCKET = `${PROJECT}.appspot.com`;

/** Every test there is, in order. */
export const tests = [];

/** Registers a test; they run one after the other, in order. */
export function test(name, body) {
  tests.push({ name, body });
}

/** An unsigned ID token, as the emulator suite issues them. */
export function unsignedToken(uid) {
  const part = (value) =>
    btoa(JSON.stringify(value)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
  return `${part({ alg: 'none', typ: 'JWT' })}.${part({ sub: uid, user_id: uid, aud: PROJECT })}.`;
}

/** Bytes that look like nothing, the same for the same seed. */
export function noise(size, seed = 1) {
  const bytes = new Uint8Array(size);
  let state = seed >>> 0 || 1;
  for (let i = 0; i < size; i += 1) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    bytes[i] = state & 0xff;
  }
  return bytes;
}
