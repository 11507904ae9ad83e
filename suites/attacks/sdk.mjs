// Documents of others by the official SDK, over gRPC in Node and over WebChannel in Chrome. Runs in both.
import { initializeApp } from 'firebase/app';
import { connectAuthEmulator, getAuth, signInWithEmailAndPassword } from 'firebase/auth';
import {
  collection,
  collectionGroup,
  deleteDoc,
  doc,
  getCountFromServer,
  getDocFromServer,
  getDocsFromServer,
  initializeFirestore,
  memoryLocalCache,
  onSnapshot,
  query,
  runTransaction,
  setDoc,
  setLogLevel,
  terminate,
  where,
  writeBatch,
} from 'firebase/firestore';

const outcome = async (promise) => {
  try {
    const found = await promise;
    return `let in: ${JSON.stringify(found?.data?.() ?? found?.docs?.map((one) => one.data()) ?? null)}`;
  } catch (error) {
    return error.code ?? String(error);
  }
};

const firstSnapshot = (target) =>
  new Promise((done, failed) => {
    const stop = onSnapshot(
      target,
      (snapshot) => {
        if (snapshot.metadata.fromCache) return;
        stop();
        done(snapshot);
      },
      failed,
    );
  });

/** The ways by phrase; each is a promise. */
function ways(db, path) {
  const place = doc(db, path);
  const around = collection(db, path.split('/').slice(0, -1).join('/'));
  const group = collectionGroup(db, place.parent.id);
  return {
    guess: [
      () => getDocFromServer(place),
      () => setDoc(place, { by: 'an attacker' }),
      () => setDoc(place, { by: 'an attacker' }, { merge: true }),
      () => deleteDoc(place),
      () =>
        writeBatch(db)
          .set(doc(db, `users/x/a/${crypto.randomUUID()}`), {})
          .delete(place)
          .commit(),
    ],
    query: [
      () => getDocsFromServer(around),
      () => getDocsFromServer(query(around, where('name', '>=', ''))),
      () => getCountFromServer(around),
    ],
    'collection group': [() => getDocsFromServer(group), () => getCountFromServer(group)],
    transaction: [
      () => runTransaction(db, (transaction) => transaction.get(place)),
      () => runTransaction(db, async (transaction) => transaction.update(place, { by: 'an attacker' })),
    ],
    'listener that outlives a role change': [
      () => firstSnapshot(place),
      () => firstSnapshot(around),
      () => firstSnapshot(group),
    ],
  };
}

const opened = async ({ origin, project, email, password }, database) => {
  setLogLevel('silent');
  const app = initializeApp(
    { apiKey: 'any', projectId: project, authDomain: 'localhost' },
    crypto.randomUUID(),
  );
  const auth = getAuth(app);
  connectAuthEmulator(auth, origin, { disableWarnings: true });
  await signInWithEmailAndPassword(auth, email, password);
  const { host } = new URL(origin);
  return initializeFirestore(app, { host, ssl: false, localCache: memoryLocalCache() }, database);
};

/** Asks for a table's log, and writes what the server says of it; answers the outcomes. */
export async function tableBySdk(scope, table) {
  const tables = await opened(scope, '__tables__');
  const db = await opened(scope, '(default)');
  const head = doc(tables, `tables/${table}`);
  const shown = doc(db, `playtests/${table}`);
  const tries = [
    () => getDocFromServer(head),
    () => getDocsFromServer(collection(tables, `tables/${table}/log`)),
    // Not by streams of listeners and writes: the SDK opens those again for ever where a database is refused.
    () => runTransaction(tables, (transaction) => transaction.get(head)),
    () => runTransaction(tables, async (transaction) => transaction.set(head, { ready: false })),
    () => setDoc(shown, { playerIds: [scope.uid] }, { merge: true }),
    () => deleteDoc(shown),
    () => setDoc(doc(db, 'playtests/own'), { ownerId: scope.uid, projectId: 'd' }),
    () => setDoc(doc(db, `playtests/${table}/feedback/f`), { authorId: scope.uid, text: 'x' }),
  ];
  const outcomes = [];
  for (const one of tries) outcomes.push(await outcome(one()));
  await Promise.all([terminate(tables), terminate(db)]);
  return outcomes;
}

/** Tries everything as somebody; answers `[phrase, path, outcome]` for each. */
export async function bySdk({ paths, ...scope }) {
  const db = await opened(scope, '(default)');
  const outcomes = [];
  for (const path of paths) {
    for (const [phrase, tries] of Object.entries(ways(db, path))) {
      for (const one of tries) outcomes.push([phrase, path, await outcome(one())]);
    }
  }
  await terminate(db);
  return outcomes;
}
