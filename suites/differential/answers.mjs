/** Brings two answers to the form in which they must be equal, and names the differences that are meant. */

import { isDeepStrictEqual } from 'node:util';

/** Members that say when: each server has its own clock, so only that they say it is compared. */
const TIMES = new Set(['createTime', 'updateTime', 'readTime', 'commitTime']);

/** Members that say how far a stream has come, and nothing of the data. */
const PROGRESS = new Set(['done', 'skippedResults']);

function member(key, value) {
  if (key === 'nextPageToken') return '…';
  return TIMES.has(key) && Date.parse(value) > 0 ? 'a time' : plain(value);
}

/** Drops what is incidental, and page tokens' and times' values; keeps values, order, codes and which members there are. */
function plain(node) {
  if (Array.isArray(node)) return node.map(plain);
  if (node === null || typeof node !== 'object') return node;
  const entries = Object.entries(node)
    .filter(([key]) => !PROGRESS.has(key))
    .map(([key, value]) => [key, member(key, value)])
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries);
}

const failure = (body) => (Array.isArray(body) ? body[0]?.error : body?.error);

/** A query's last message may say only that it is done; the cloud sends it or leaves it out. */
const withoutEnds = (body) =>
  Array.isArray(body)
    ? body.filter((part) => Object.keys(part).some((key) => key !== 'readTime' && !PROGRESS.has(key)))
    : body;

/** The documents' names in a query's answer, in order. */
const names = (body) => (Array.isArray(body) ? body.map(({ document }) => document?.name) : undefined);

const byName = (a, b) => ((a.found?.name ?? a.missing) < (b.found?.name ?? b.missing) ? -1 : 1);

/** The comparable form of one answer. */
export function comparable(request, { status, body }) {
  const error = failure(body);
  if (error !== undefined) {
    const refusal = { status, error: { code: error.code, status: error.status } };
    // For people and for the list below; not compared.
    return Object.defineProperty(refusal, 'message', { value: error.message, enumerable: false });
  }
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

/** The first difference between two answers: `{ path, theirs, ours }`, or nothing. */
export function firstDifference(theirs, ours, path = '') {
  if (isDeepStrictEqual(theirs, ours)) return undefined;
  const nodes = [theirs, ours].every((node) => node !== null && typeof node === 'object');
  if (!nodes) return { path, theirs, ours };
  for (const key of new Set([...Object.keys(theirs), ...Object.keys(ours)])) {
    const found = firstDifference(theirs[key], ours[key], `${path}/${key}`);
    if (found) return found;
  }
  return { path, theirs, ours };
}

/** The answer with every negative zero made positive. */
function unsigned(node) {
  if (Object.is(node, -0)) return 0;
  if (Array.isArray(node)) return node.map(unsigned);
  if (node === null || typeof node !== 'object') return node;
  return Object.fromEntries(Object.entries(node).map(([key, member]) => [key, unsigned(member)]));
}

/** The answer with its doubles cut to fourteen digits. */
function rounded(node) {
  if (typeof node === 'number') return Number(node.toPrecision(14));
  if (Array.isArray(node)) return node.map(rounded);
  if (node === null || typeof node !== 'object') return node;
  return Object.fromEntries(Object.entries(node).map(([key, member]) => [key, rounded(member)]));
}

/** Documents and results without the time of the last change, where `gone` says so by index and content. */
const timeless = (list, gone) =>
  list?.map((one, index) => {
    const { updateTime: _, ...rest } = one;
    return gone(one, index) ? rest : one;
  });

/** The document that a write is about. */
const nameOf = (write) => write.delete ?? write.update?.name;

const queryOf = ({ body }) =>
  body?.structuredQuery ?? body?.structuredAggregationQuery?.structuredQuery ?? undefined;

const refuses = (answer, text) => answer.error !== undefined && text.test(answer.message);

/** The largest number of transforms that these writes have for one document. */
function mostTransforms(writes) {
  const counts = new Map();
  for (const { update, updateTransforms } of writes) {
    if (!updateTransforms) continue;
    counts.set(update.name, (counts.get(update.name) ?? 0) + updateTransforms.length);
  }
  return Math.max(0, ...counts.values());
}

/**
 * Deliberate differences. Each has a name, a reason and a test on (request, reference's answer, ours); both answers are
 * in comparable form except for the error's message, which stands beside it.
 */
export const DIFFERENCES = [
  {
    name: 'update times around a delete',
    why: 'The reference gives every write of a document the time that it has after the commit, or none when it is gone. The API: "Not set after a `delete`", and set after any other write.',
    test: ({ path, body }, theirs, ours) => {
      if (path !== ':commit' || !Array.isArray(body?.writes)) return false;
      const deleted = new Set(body.writes.map((write) => write.delete));
      const isDeleted = (_result, index) => deleted.has(nameOf(body.writes[index]));
      const isDelete = (_result, index) => body.writes[index].delete !== undefined;
      const without = ({ body: answer }) =>
        unsigned({ ...answer, writeResults: timeless(answer?.writeResults, isDeleted) });
      return (
        isDeepStrictEqual(without(theirs), without(ours)) &&
        isDeepStrictEqual(timeless(ours.body.writeResults, isDelete), ours.body.writeResults)
      );
    },
  },
  {
    name: 'update time of a missing document',
    why: 'The reference tells when it was deleted. The API: missing documents have no `update_time`.',
    test: ({ path }, theirs, ours) => {
      const isMissing = ({ createTime }) => createTime === undefined;
      return (
        path.includes('showMissing=true') &&
        isDeepStrictEqual(
          unsigned(timeless(theirs.body?.documents, isMissing)),
          unsigned(ours.body?.documents),
        )
      );
    },
  },
  {
    name: 'negative zero',
    why: 'The reference stores -0 as 0. Here a double comes back as it was sent; both are equal in every query.',
    test: (_asked, theirs, ours) => isDeepStrictEqual(unsigned(theirs), unsigned(ours)),
  },
  {
    name: 'empty projection',
    why: 'The reference returns no field for `select: {fields: []}`. The API says: "If empty, all fields are returned".',
    test: (asked, theirs, ours) =>
      queryOf(asked)?.select?.fields?.length === 0 && isDeepStrictEqual(names(theirs.body), names(ours.body)),
  },
  {
    name: 'rounding of sums',
    why: 'Nobody says in which order doubles are added. Here whole numbers are added exactly first.',
    test: (asked, theirs, ours) =>
      asked.path === ':runAggregationQuery' && isDeepStrictEqual(rounded(theirs), rounded(ours)),
  },
  {
    name: 'descending names',
    why: 'The reference cannot scan names downward; the API\'s own example of an order is "priority desc, __name__ desc".',
    test: (_asked, theirs, ours) =>
      refuses(theirs, /does not support descending key scans/) &&
      (ours.status === 200 || refuses(ours, /requires an index that has fields .* after __name__/)),
  },
  {
    name: 'more than 500 transforms of a document',
    why: "The reference takes any number. The cloud's limits are: 500 of a single document in a commit.",
    test: (asked, theirs, ours) =>
      asked.path === ':commit' &&
      theirs.status === 200 &&
      refuses(ours, /more than 500 field transforms/) &&
      mostTransforms(asked.body.writes) > 500,
  },
  {
    name: 'token after the last page',
    why: 'The reference cannot tell that a full page is the last one, and sends the token of an empty page.',
    test: (asked, theirs, ours) =>
      asked.method === 'GET' &&
      /pageSize=/.test(asked.path) &&
      theirs.body?.nextPageToken !== undefined &&
      ours.body?.nextPageToken === undefined &&
      isDeepStrictEqual(unsigned(theirs.body.documents), unsigned(ours.body?.documents)),
  },
];
