/** Brings two answers to the form in which they must be equal, and names the differences that are meant. */

/** Members that say when, or how far a stream has come, and nothing of the data. */
const INCIDENTAL = new Set(['createTime', 'updateTime', 'readTime', 'commitTime', 'done', 'skippedResults']);

/** Drops what is incidental, page tokens and messages; keeps values, order, codes and which members there are. */
function plain(node) {
  if (Array.isArray(node)) return node.map(plain);
  if (node === null || typeof node !== 'object') return node;
  const entries = Object.entries(node)
    .filter(([key]) => !INCIDENTAL.has(key))
    .map(([key, member]) => [key, key === 'nextPageToken' ? '…' : plain(member)])
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries);
}

const failure = (body) => (Array.isArray(body) ? body[0]?.error : body?.error);

/** A query's last message may say only that it is done; the cloud sends it or leaves it out. */
const withoutEnds = (body) =>
  Array.isArray(body) ? body.filter((part) => Object.keys(part).some((key) => !INCIDENTAL.has(key))) : body;

const byName = (a, b) => ((a.found?.name ?? a.missing) < (b.found?.name ?? b.missing) ? -1 : 1);

/** The comparable form of one answer. */
export function comparable(request, { status, body }) {
  const error = failure(body);
  if (error !== undefined) return { status, error: { code: error.code, status: error.status } };
  if (request.path.includes(':batchGet') && Array.isArray(body))
    return { status, body: plain(body).sort(byName) };
  if (request.path.includes(':batchWrite')) {
    return {
      status,
      body: {
        results: (body.writeResults ?? []).map(plain),
        codes: (body.status ?? []).map(({ code }) => code ?? 0),
      },
    };
  }
  return { status, body: plain(withoutEnds(body)) };
}

/**
 * Where Tuckbox answers otherwise on purpose, because the cloud's documentation says so and the reference does not do
 * it. Each has a name, a reason and a test on (request, reference's answer, ours), both in comparable form.
 */
export const DIFFERENCES = [];
