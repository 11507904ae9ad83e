// The policy of documents, sentence by sentence: who may, and who may not.
import {
  collection,
  collectionGroup,
  deleteDoc,
  doc,
  getDoc,
  getDocs,
  onSnapshot,
  query,
  runTransaction,
  serverTimestamp,
  setDoc,
  updateDoc,
  where,
  writeBatch,
} from 'firebase/firestore';

/** Every test's initial data: a project of Anna's with a member in each role, a session, and layouts. */
const MEMBERS = {
  anna: 'owner',
  olga: 'owner',
  ed: 'editor',
  cleo: 'commenter',
  vic: 'viewer',
  pat: 'playtester',
};
const DECK = 'projects/d';
const LIBRARY = 'users/anna/library/layouts/items';
const SEED = {
  'users/anna/userData/userObject': { versionNum: 20 },
  [DECK]: {
    name: 'Deck',
    owner: 'anna',
    members: MEMBERS,
    memberIds: Object.keys(MEMBERS),
    people: { cleo: 'Cleo of the deck' },
  },
  [`${DECK}/components/c`]: { name: 'Cards' },
  [`${DECK}/components/c/cards/1`]: { cells: { title: 'One' } },
  [`${DECK}/comments/k`]: { authorId: 'cleo', text: 'fine' },
  [`${LIBRARY}/shared`]: { name: 'Open', shared: true },
  [`${LIBRARY}/own`]: { name: 'Mine' },
  [`${DECK}/layouts/shared`]: { name: 'Open', shared: true },
  [`${DECK}/layouts/used`]: { name: 'Used' },
  [`${DECK}/layouts/used/versions/v`]: { name: 'First' },
  [`${DECK}/notes/main`]: { text: 'Idea' },
  [`${DECK}/images/p`]: { path: 'fox.png', file: `${DECK}/images/fox.png`, url: '/file' },
  [`${DECK}/pictures/p`]: { path: 'fox.png', url: '/file', by: 'anna' },
  'users/anna/library/images/items/p': { path: 'fox.png', url: '/file' },
  'offers/d': { from: 'anna', to: 'ed', closing: false },
  [`${DECK}/invitations/i`]: { role: 'editor', email: 'new@example.com', expiresAt: 1 },
  [`${DECK}/components/c/presence/w`]: { uid: 'vic', name: 'Vic', at: new Date(Date.now() + 3_600_000) },
  [`${DECK}/components/c/presence/left`]: { uid: 'vic', name: 'Vic', at: new Date(0) },
  'playtests/s': {
    projectId: 'd',
    ownerId: 'anna',
    seats: { red: 'pat', blue: 'guest' },
    playerIds: ['pat', 'guest'],
  },
  'playtests/s/table/token': { x: 1 },
  'playtests/s/hands/red/cards/1': { face: 'Ace' },
  'playtests/s/feedback/f': { authorId: 'pat', text: 'fun' },
};

/** Declares the tests. */
export function documentTests(environment, { test, may, mayNot }) {
  const as = (uid, claims) => environment.authenticatedContext(uid, claims).firestore();
  const nobody = () => environment.unauthenticatedContext().firestore();
  const seed = () =>
    environment.withSecurityRulesDisabled(async (context) => {
      const db = context.firestore();
      await Promise.all(Object.entries(SEED).map(([path, data]) => setDoc(doc(db, path), data)));
    });
  const policy = (name, run) =>
    test(`documents: ${name}`, async () => {
      await seed();
      await run();
    });
  const get = (db, path) => getDoc(doc(db, path));

  policy(
    'an admin by claim fills the stock and sees nothing of others; one by any other means is none',
    async () => {
      const admin = as('root', { admin: true });
      await may(setDoc(doc(admin, 'stock/s'), { path: 'Dice/d6.png' }));
      for (const path of ['users/anna/userData/userObject', DECK, 'playtests/s/hands/red/cards/1']) {
        await mayNot(get(admin, path));
        await mayNot(setDoc(doc(admin, path), { a: 1 }));
      }
      await mayNot(setDoc(doc(admin, 'anything/at/all/here'), { a: 1 }));
      await mayNot(getDocs(collectionGroup(admin, 'cards')));
      for (const claims of [{}, { admin: 'true' }, { admin: 1 }, { role: 'admin' }]) {
        await mayNot(setDoc(doc(as('root', claims), 'stock/s'), { path: 'x' }));
      }
      await setDoc(doc(as('root'), 'users/root/userData/userObject'), { admin: true });
      await mayNot(setDoc(doc(as('root'), 'stock/s'), { path: 'x' }));
    },
  );

  policy('nobody puts a document where others look for projects and invitations', async () => {
    const forged = { name: 'Yours', email: 'new@example.com', memberIds: ['vic'], deckName: 'Your bank' };
    for (const [uid, path] of [
      ['mallory', 'projects/z'],
      ['mallory', 'projects/z/x/y'],
      ['mallory', 'users/mallory/decks/z'],
      ['mallory', 'users/mallory/decks/z/components/c'],
      ['mallory', 'users/mallory/invitations/i'],
      ['mallory', 'users/mallory/x/y/invitations/i'],
      ['anna', `${DECK}/invitations/j`],
      ['ed', `${DECK}/components/c/invitations/z`],
    ]) {
      await mayNot(setDoc(doc(as(uid), path), forged));
    }
    await may(setDoc(doc(as('mallory'), 'users/mallory/x/y/z/w'), { a: 1 }));
  });

  policy('users own what is below their name, and nobody else does', async () => {
    await may(get(as('anna'), `${LIBRARY}/own`));
    await may(setDoc(doc(as('anna'), `${LIBRARY}/new`), { name: 'New' }));
    await may(setDoc(doc(as('anna'), `${LIBRARY}/new/versions/v`), { name: 'First' }));
    await may(getDocs(collection(as('anna'), LIBRARY)));
    for (const db of [as('mallory'), as('olga'), nobody()]) {
      await mayNot(get(db, 'users/anna/userData/userObject'));
      await mayNot(setDoc(doc(db, `${LIBRARY}/new`), { name: 'Mine now' }));
      await mayNot(get(db, `${LIBRARY}/new/versions/v`));
      await mayNot(getDocs(collection(db, LIBRARY)));
      await mayNot(deleteDoc(doc(db, `${LIBRARY}/own`)));
    }
    // Nobody puts layouts where earlier versions kept them: they would be in no list.
    await mayNot(setDoc(doc(as('anna'), 'users/anna/layouts/new'), { name: 'New' }));
    await mayNot(setDoc(doc(as('anna'), 'users/anna/layouts/new/versions/v'), { name: 'New' }));
    await mayNot(setDoc(doc(as('anna'), 'users/anna/layouts/new/versions/v/x/y'), { name: 'New' }));
  });

  policy('projects are made in one’s own name, with oneself as owner and only member', async () => {
    const own = { owner: 'ed', members: { ed: 'owner' }, memberIds: ['ed'], name: 'New' };
    await may(setDoc(doc(as('ed'), 'projects/new'), own));
    for (const change of [
      { owner: 'anna' },
      { members: { ed: 'owner', vic: 'editor' } },
      { members: { ed: 'editor' } },
      { memberIds: ['ed', 'vic'] },
      { memberIds: [] },
      { people: { ed: 'Anna' } },
      { shared: true },
      { name: 5 },
      { more: 'x'.repeat(900_000) },
    ]) {
      await mayNot(setDoc(doc(as('ed'), 'projects/other'), { ...own, ...change }));
    }
    await mayNot(setDoc(doc(as('mallory'), 'projects/other'), own));
    // Projects kept below users before are for the server alone.
    await mayNot(get(as('anna'), 'users/anna/decks/d'));
    await mayNot(setDoc(doc(as('anna'), 'users/anna/decks/d'), { name: 'New' }));
  });

  policy('what is named nowhere is closed', async () => {
    await mayNot(setDoc(doc(as('anna'), 'elsewhere/x'), { a: 1 }));
    await mayNot(get(as('anna'), 'elsewhere/x'));
    await mayNot(getDocs(collectionGroup(as('anna'), 'cards')));
  });

  policy('members of any role open the deck; a playtester sees nothing below it', async () => {
    for (const uid of Object.keys(MEMBERS)) await may(get(as(uid), DECK));
    await mayNot(get(as('mallory'), DECK));
    for (const uid of ['anna', 'olga', 'ed', 'cleo', 'vic']) {
      await may(getDocs(collection(as(uid), `${DECK}/components/c/cards`)));
    }
    await mayNot(get(as('pat'), `${DECK}/components/c/cards/1`));
    await mayNot(getDocs(collection(as('pat'), `${DECK}/components`)));
  });

  policy('editors change the deck but not who is a member', async () => {
    await may(updateDoc(doc(as('ed'), DECK), { name: 'Better' }));
    await mayNot(updateDoc(doc(as('ed'), DECK), { 'members.ed': 'owner' }));
    await mayNot(updateDoc(doc(as('ed'), DECK), { memberIds: ['ed'] }));
    await mayNot(updateDoc(doc(as('ed'), DECK), { trashedAt: 1 }));
    await mayNot(updateDoc(doc(as('ed'), DECK), { people: { ed: 'Anna' } }));
    await mayNot(deleteDoc(doc(as('ed'), DECK)));
    for (const uid of ['cleo', 'vic', 'pat', 'mallory']) {
      await mayNot(updateDoc(doc(as(uid), DECK), { name: 'Worse' }));
    }
    // Not even owners write who is a member: functions of the server do.
    for (const uid of ['olga', 'anna']) {
      await mayNot(updateDoc(doc(as(uid), DECK), { 'members.ed': 'viewer' }));
      await mayNot(updateDoc(doc(as(uid), DECK), { memberIds: ['mallory'] }));
      await mayNot(updateDoc(doc(as(uid), DECK), { removed: {} }));
      await mayNot(updateDoc(doc(as(uid), DECK), { demoted: {} }));
      await mayNot(updateDoc(doc(as(uid), DECK), { owner: uid === 'anna' ? 'olga' : uid }));
      await mayNot(setDoc(doc(as(uid), DECK), { name: 'Deck' }));
      await may(updateDoc(doc(as(uid), DECK), { name: `By ${uid}` }));
    }
    // A function deletes it, with all that lies below it.
    for (const uid of ['anna', 'olga']) await mayNot(deleteDoc(doc(as(uid), DECK)));
  });

  policy('editors and owners write cards, others do not', async () => {
    const card = `${DECK}/components/c/cards/2`;
    for (const uid of ['olga', 'ed']) await may(setDoc(doc(as(uid), card), { cells: {} }));
    for (const uid of ['cleo', 'vic', 'pat', 'mallory'])
      await mayNot(setDoc(doc(as(uid), card), { cells: {} }));
  });

  policy('editors add steps to a rulebook in their own name, and nobody changes them', async () => {
    const at = (uid, path) => doc(as(uid), `${DECK}/rulebooks/b${path}`);
    const step = (uid) => ({ client: 'w', by: uid, at: serverTimestamp(), s: '[]' });
    await may(setDoc(at('ed', ''), { title: 'Rules', head: 1 }));
    for (const uid of ['cleo', 'vic', 'pat', 'mallory']) {
      await mayNot(updateDoc(at(uid, ''), { title: 'Mine' }));
      await mayNot(setDoc(at(uid, '/steps/000000001'), step(uid)));
    }
    await mayNot(setDoc(at('ed', '/steps/000000001'), step('anna')));
    await mayNot(setDoc(at('ed', '/steps/000000002'), step('ed')));
    await may(setDoc(at('ed', '/steps/000000001'), step('ed')));
    await mayNot(setDoc(at('ed', '/steps/000000001'), step('ed')));
    await mayNot(deleteDoc(at('ed', '/steps/000000001')));
    for (const uid of ['cleo', 'vic']) await may(getDocs(collection(as(uid), `${DECK}/rulebooks/b/steps`)));
    await mayNot(getDocs(collection(as('pat'), `${DECK}/rulebooks/b/steps`)));
    const next = (head) => {
      const rulebook = at('ed', '');
      const batch = writeBatch(rulebook.firestore);
      batch.set(doc(rulebook, 'steps', String(head).padStart(9, '0')), step('ed'));
      return batch.update(rulebook, { head }).commit();
    };
    await mayNot(updateDoc(at('ed', ''), { head: 2 }));
    await may(next(2));
    for (const head of [2, 4, 9]) await mayNot(next(head));
    await may(updateDoc(at('ed', ''), { deletedAt: 5 }));
    await may(deleteDoc(at('ed', '/steps/000000001')));
  });

  policy('what others of a project read has a shape and a size', async () => {
    const long = 'x'.repeat(900_000);
    const at = (path) => doc(as('ed'), `${DECK}/${path}`);
    for (const [path, good, bad] of [
      [
        'components/n',
        { name: 'C', columns: [], order: 1 },
        [{ name: 5 }, { name: long }, { order: Number.NaN }],
      ],
      ['components/c/cards/n', { cells: {}, order: 1 }, [{ cells: 'a' }, { order: 'a' }, { status: long }]],
      ['notes/main', { text: 'a' }, [{ text: 5 }, { text: long }, { more: long }]],
      [
        'images/n',
        { path: 'a.png', file: `${DECK}/images/a.png`, url: '/a' },
        [{ path: 5 }, { file: 'users/anna/images/a.png' }, { url: long }, { w: 'a' }, { more: 1 }],
      ],
      ['printPresets/n', { name: 'A4', settings: {} }, [{ name: 5 }, { settings: 'a' }]],
      [
        'rulebooks/n',
        { title: 'R', head: 0 },
        [{ title: 5 }, { title: long }, { head: 'a' }, { head: 1001 }, { more: 1 }],
      ],
      [
        'printRuns/n',
        { number: 1, marks: 'a' },
        [
          { number: 'a' },
          { what: long },
          { marks: 5 },
          { language: 5 },
          { version: 5 },
          { versionName: long },
        ],
      ],
    ]) {
      await may(setDoc(at(path), good));
      for (const change of bad) await mayNot(setDoc(at(path), { ...good, ...change }));
    }
    for (const change of [{ name: 5 }, { name: long }, { tags: 'a' }, { coverColor: 'red' }, { cover: long }])
      await mayNot(updateDoc(doc(as('olga'), DECK), change));
    for (const change of [
      { name: 5 },
      { name: long },
      { scene: 'a' },
      { version: '1' },
      { revision: 'a' },
      { tags: 'a' },
      { follows: 'a' },
      { shared: 'yes' },
      { pictures: [] },
      { deckIds: ['d'] },
    ])
      await mayNot(updateDoc(doc(as('ed'), `${DECK}/layouts/used`), change));
  });

  policy('what was there before the rules can be read and changed, field by field', async () => {
    await environment.withSecurityRulesDisabled(async (context) => {
      const db = context.firestore();
      const before = { owner: 'anna', members: { anna: 'owner', ed: 'editor' }, memberIds: ['anna', 'ed'] };
      await setDoc(doc(db, 'projects/before'), { ...before, tags: 'a', description: 'x'.repeat(20_000) });
      await setDoc(doc(db, 'projects/before/components/c'), { name: 5, columns: 'a' });
      await setDoc(doc(db, 'projects/before/sketches/s'), { name: 'Sketch' });
    });
    for (const uid of ['anna', 'ed']) {
      const project = doc(as(uid), 'projects/before');
      await may(getDoc(project));
      await may(updateDoc(project, { coverColor: '#123456' }));
      await mayNot(updateDoc(project, { tags: 'b' }));
      await mayNot(updateDoc(project, { name: 5 }));
      const component = doc(as(uid), 'projects/before/components/c');
      await may(updateDoc(component, { order: 2 }));
      await mayNot(updateDoc(component, { columns: 'b' }));
    }
    await may(updateDoc(doc(as('ed'), 'projects/before'), { name: 'Named now', description: 'Short' }));
    // Collections that the rules do not name are for whose project it is, to read.
    await may(getDocs(collection(as('anna'), 'projects/before/sketches')));
    await mayNot(getDocs(collection(as('ed'), 'projects/before/sketches')));
    for (const uid of ['anna', 'ed'])
      await mayNot(setDoc(doc(as(uid), 'projects/before/sketches/t'), { name: 'New' }));
  });

  policy('comments are written in one’s own name', async () => {
    const comment = (n) => `${DECK}/comments/${n}`;
    await may(setDoc(doc(as('cleo'), comment('a')), { authorId: 'cleo', text: 'a' }));
    await mayNot(setDoc(doc(as('cleo'), comment('b')), { authorId: 'anna', text: 'b' }));
    await mayNot(setDoc(doc(as('vic'), comment('c')), { authorId: 'vic', text: 'c' }));
    await mayNot(updateDoc(doc(as('cleo'), comment('k')), { authorId: 'anna' }));
    await mayNot(updateDoc(doc(as('ed'), comment('k')), { text: 'put into your mouth' }));
    await may(updateDoc(doc(as('cleo'), comment('k')), { resolved: true }));
    await may(deleteDoc(doc(as('ed'), comment('k'))));
  });

  policy('comments have a shape, a size, and the name that the server or the account says', async () => {
    const cleo = as('cleo', { name: 'Cleo C', email: 'cleo@example.com' });
    const whole = {
      authorId: 'cleo',
      authorName: 'Cleo C',
      component: 'c',
      card: '1',
      text: 'a',
      createdAt: serverTimestamp(),
      resolved: false,
    };
    let count = 0;
    const write = (change) => setDoc(doc(cleo, `${DECK}/comments/n${count++}`), { ...whole, ...change });
    for (const authorName of ['Cleo C', 'cleo@example.com', 'Cleo of the deck', ''])
      await may(write({ authorName }));
    for (const change of [
      { authorName: 'Anna' },
      { authorName: 'Cleo C ' },
      { authorName: { of: 'Cleo C' } },
      { text: 'x'.repeat(4_001) },
      { text: 5 },
      { text: ['x'] },
      { card: 'x'.repeat(201) },
      { component: 5 },
      { resolved: 'no' },
      { createdAt: new Date(0) },
      { more: 'x'.repeat(900_000) },
    ]) {
      await mayNot(write(change));
    }
    for (const change of [{ authorName: 'Anna' }, { text: 'x'.repeat(4_001) }, { card: '2' }, { more: 1 }]) {
      await mayNot(updateDoc(doc(cleo, `${DECK}/comments/k`), change));
    }
    await may(updateDoc(doc(cleo, `${DECK}/comments/k`), { text: 'x'.repeat(4_000) }));
  });

  policy('members find the decks that name them by a query that says so', async () => {
    const named = (db, uid) => query(collection(db, 'projects'), where('memberIds', 'array-contains', uid));
    await may(getDocs(named(as('vic'), 'vic')));
    await mayNot(getDocs(named(as('mallory'), 'vic')));
    await mayNot(getDocs(collection(as('vic'), 'projects')));
    await mayNot(getDocs(collectionGroup(as('vic'), 'projects')));
  });

  policy('a deck’s layouts are seen by who sees the deck, and changed by who may change it', async () => {
    const used = `${DECK}/layouts/used`;
    const version = `${used}/versions/v`;
    for (const uid of ['anna', 'olga', 'ed', 'cleo', 'vic']) {
      await may(get(as(uid), used));
      await may(get(as(uid), version));
      await may(getDocs(collection(as(uid), `${DECK}/layouts`)));
      await may(getDocs(collection(as(uid), `${used}/versions`)));
    }
    for (const uid of ['olga', 'ed', 'cleo', 'vic', 'pat', 'mallory'])
      await mayNot(get(as(uid), `${LIBRARY}/own`));
    for (const db of [as('pat'), as('mallory'), nobody()]) {
      await mayNot(get(db, used));
      await mayNot(get(db, version));
      await mayNot(getDocs(collection(db, `${DECK}/layouts`)));
      await mayNot(getDocs(collectionGroup(db, 'layouts')));
    }
    for (const uid of ['anna', 'olga', 'ed']) {
      const own = `${DECK}/layouts/by-${uid}`;
      await may(updateDoc(doc(as(uid), used), { name: 'Better', tags: ['a'], follows: null }));
      await may(updateDoc(doc(as(uid), used), { shared: true }));
      await may(setDoc(doc(as(uid), own), { name: 'New', version: 1, scene: {} }));
      await may(setDoc(doc(as(uid), `${own}/versions/v`), { name: '', scene: {}, at: serverTimestamp() }));
      await may(updateDoc(doc(as(uid), `${own}/versions/v`), { name: 'First' }));
      for (const change of [{ name: 5 }, { scene: 'a' }, { more: 1 }])
        await mayNot(updateDoc(doc(as(uid), `${own}/versions/v`), change));
      await mayNot(setDoc(doc(as(uid), `${own}/versions/v/x/y`), { name: 'Deeper' }));
      await mayNot(setDoc(doc(as(uid), `${own}/x/y`), { name: 'Beside' }));
      await may(deleteDoc(doc(as(uid), `${own}/versions/v`)));
      await may(deleteDoc(doc(as(uid), own)));
    }
    for (const uid of ['cleo', 'vic', 'pat', 'mallory']) {
      await mayNot(updateDoc(doc(as(uid), used), { name: 'Worse' }));
      await mayNot(updateDoc(doc(as(uid), used), { shared: true }));
      await mayNot(setDoc(doc(as(uid), `${DECK}/layouts/new`), { name: 'New' }));
      await mayNot(deleteDoc(doc(as(uid), used)));
      await mayNot(setDoc(doc(as(uid), `${used}/versions/new`), { name: 'New', scene: {} }));
      await mayNot(deleteDoc(doc(as(uid), version)));
    }
    // In a project that is not there nobody has a role.
    await mayNot(setDoc(doc(as('mallory'), 'projects/none/layouts/new'), { name: 'New' }));
  });

  policy('notes are read by who sees the deck and written by who may change it', async () => {
    const notes = `${DECK}/notes/main`;
    for (const uid of ['olga', 'ed', 'cleo', 'vic']) await may(get(as(uid), notes));
    for (const uid of ['pat', 'mallory']) await mayNot(get(as(uid), notes));
    for (const uid of ['olga', 'ed']) await may(setDoc(doc(as(uid), notes), { text: 'Better' }));
    for (const uid of ['cleo', 'vic', 'pat', 'mallory'])
      await mayNot(setDoc(doc(as(uid), notes), { text: 'Worse' }));
  });

  policy('images of a project are seen by whoever sees the project; nobody lends it any', async () => {
    const image = `${DECK}/images/p`;
    for (const uid of ['olga', 'ed', 'cleo', 'vic']) {
      await may(get(as(uid), image));
      await may(getDocs(collection(as(uid), `${DECK}/images`)));
    }
    for (const uid of ['pat', 'mallory']) {
      await mayNot(get(as(uid), image));
      await mayNot(getDocs(collection(as(uid), `${DECK}/images`)));
    }
    const fields = { path: 'a.png', file: `${DECK}/images/a.png`, url: '/a' };
    for (const uid of ['olga', 'ed']) {
      await may(setDoc(doc(as(uid), `${DECK}/images/${uid}`), fields));
      await may(updateDoc(doc(as(uid), image), { path: `${uid}.png`, updatedAt: 1 }));
      await may(deleteDoc(doc(as(uid), `${DECK}/images/${uid}`)));
      // Files of a library, of another project, and of another folder of this one are none of its images.
      for (const file of [
        'users/anna/images/a.png',
        'projects/d2/images/a.png',
        `${DECK}/exports/a.png`,
        `${DECK}/images/below/a.png`,
      ])
        await mayNot(setDoc(doc(as(uid), `${DECK}/images/${uid}`), { ...fields, file }));
      await mayNot(updateDoc(doc(as(uid), image), { file: 'users/anna/images/a.png' }));
    }
    for (const uid of ['cleo', 'vic', 'pat', 'mallory']) {
      await mayNot(setDoc(doc(as(uid), `${DECK}/images/${uid}`), fields));
      await mayNot(updateDoc(doc(as(uid), image), { path: 'b.png' }));
      await mayNot(deleteDoc(doc(as(uid), image)));
    }
    const font = { family: 'own-x', name: 'Runes', file: `${DECK}/fonts/a.otf`, url: '/a', weight: 400 };
    for (const uid of ['olga', 'ed']) {
      const own = `${DECK}/fonts/${uid}`;
      await may(setDoc(doc(as(uid), own), font));
      for (const file of ['users/anna/fonts/a.otf', 'projects/d2/fonts/a.otf', `${DECK}/images/a.otf`])
        await mayNot(updateDoc(doc(as(uid), own), { file }));
      await may(get(as('vic'), own));
      await mayNot(get(as('pat'), own));
      await mayNot(get(as('mallory'), own));
      for (const other of ['cleo', 'vic', 'pat', 'mallory']) {
        await mayNot(setDoc(doc(as(other), `${DECK}/fonts/${other}`), font));
        await mayNot(deleteDoc(doc(as(other), own)));
      }
      await may(deleteDoc(doc(as(uid), own)));
    }
    for (const uid of Object.keys(MEMBERS)) {
      if (uid !== 'anna') await mayNot(get(as(uid), 'users/anna/library/images/items/p'));
      await mayNot(setDoc(doc(as(uid), `${DECK}/pictures/${uid}`), { path: 'a.png', by: uid }));
      if (uid !== 'anna') await mayNot(get(as(uid), `${DECK}/pictures/p`));
    }
  });

  policy(
    'an offer of a project is read by who sees the project, found by its two, and written by nobody',
    async () => {
      const offer = 'offers/d';
      const toOneself = (uid) => getDocs(query(collection(as(uid), 'offers'), where('to', '==', uid)));
      for (const uid of ['anna', 'ed', 'olga', 'vic']) await may(getDoc(doc(as(uid), offer)));
      await may(toOneself('ed'));
      await may(getDocs(query(collection(as('anna'), 'offers'), where('from', '==', 'anna'))));
      await mayNot(getDoc(doc(as('mallory'), offer)));
      await mayNot(getDocs(collection(as('ed'), 'offers')));
      await mayNot(getDocs(query(collection(as('vic'), 'offers'), where('to', '==', 'ed'))));
      for (const uid of ['anna', 'ed', 'vic', 'mallory']) {
        await mayNot(setDoc(doc(as(uid), 'offers/forged'), { from: 'anna', to: uid }));
        await mayNot(updateDoc(doc(as(uid), offer), { to: uid }));
        await mayNot(deleteDoc(doc(as(uid), offer)));
      }
      await mayNot(getDoc(doc(as('anna'), 'handovers/d')));
    },
  );

  policy('invitations are seen and withdrawn by owners, and made by nobody but the server', async () => {
    const invitation = `${DECK}/invitations/i`;
    const made = { role: 'owner', expiresAt: 9 };
    for (const uid of ['ed', 'cleo', 'vic', 'pat', 'mallory']) {
      await mayNot(get(as(uid), invitation));
      await mayNot(getDocs(collection(as(uid), `${DECK}/invitations`)));
      await mayNot(deleteDoc(doc(as(uid), invitation)));
      await mayNot(setDoc(doc(as(uid), `${DECK}/invitations/own`), made));
    }
    await mayNot(setDoc(doc(as('olga'), `${DECK}/invitations/own`), made));
    await may(getDocs(collection(as('olga'), `${DECK}/invitations`)));
    await may(deleteDoc(doc(as('olga'), invitation)));
  });

  policy('who has verified an address lists its invitations', async () => {
    const sent = (db, email) => query(collectionGroup(db, 'invitations'), where('email', '==', email));
    const fresh = (email_verified) => as('new', { email: 'new@example.com', email_verified });
    await may(getDocs(sent(fresh(true), 'new@example.com')));
    await mayNot(getDocs(sent(fresh(false), 'new@example.com')));
    await mayNot(getDocs(sent(fresh(true), 'cleo@example.com')));
    await mayNot(getDocs(collectionGroup(fresh(true), 'invitations')));
    await mayNot(deleteDoc(doc(fresh(false), `${DECK}/invitations/i`)));
    await may(deleteDoc(doc(fresh(true), `${DECK}/invitations/i`)));
  });

  policy('who sees a table says where they are in it, in their own name', async () => {
    const at = (window) => `${DECK}/components/c/presence/${window}`;
    for (const uid of ['olga', 'ed', 'cleo', 'vic']) await may(setDoc(doc(as(uid), at(uid)), { uid }));
    for (const uid of ['pat', 'mallory']) await mayNot(setDoc(doc(as(uid), at(uid)), { uid }));
    await mayNot(setDoc(doc(as('vic'), at('x')), { uid: 'anna' }));
    await mayNot(setDoc(doc(as('cleo'), at('w')), { uid: 'cleo' }));
    // They delete what a window left that was silent for long, and nothing else of others.
    await mayNot(deleteDoc(doc(as('cleo'), at('w'))));
    for (const uid of ['pat', 'mallory']) await mayNot(deleteDoc(doc(as(uid), at('left'))));
    await may(deleteDoc(doc(as('cleo'), at('left'))));
    await may(deleteDoc(doc(as('vic'), at('w'))));
  });

  policy('who sees a layout says where they are in it, in their own name', async () => {
    const at = (window) => `${DECK}/layouts/used/presence/${window}`;
    const whole = { hue: 3, zones: ['a', 'b'], x: 12.5, y: -3, at: serverTimestamp() };
    for (const uid of ['olga', 'ed', 'cleo', 'vic']) {
      const db = as(uid);
      const write = (change) => setDoc(doc(db, at(uid)), { uid, ...whole, ...change });
      await may(write({}));
      await may(write({ zones: [], x: null, y: null }));
      await may(write({ zones: Array(50).fill('z'.repeat(79)) }));
      for (const change of [
        { uid: 'anna' },
        { name: 'Anna' },
        { zones: 'a' },
        { zones: Array(51).fill('z') },
        { zones: ['z'.repeat(4001)] },
        { x: 'left' },
        { y: [1] },
        { more: 'x' },
      ]) {
        await mayNot(write(change));
      }
      await may(getDocs(collection(db, `${DECK}/layouts/used/presence`)));
    }
    await mayNot(deleteDoc(doc(as('olga'), at('vic'))));
    await mayNot(setDoc(doc(as('cleo'), at('vic')), { uid: 'cleo', ...whole }));
    await may(deleteDoc(doc(as('vic'), at('vic'))));
    for (const uid of ['pat', 'mallory']) {
      await mayNot(setDoc(doc(as(uid), at(uid)), { uid, ...whole }));
      await mayNot(getDocs(collection(as(uid), `${DECK}/layouts/used/presence`)));
    }
    // A library's layouts are seen by their owner alone.
    await mayNot(setDoc(doc(as('mallory'), `${LIBRARY}/shared/presence/w`), { uid: 'mallory', ...whole }));
  });

  policy('where somebody is in a table has a shape, a size and their own name', async () => {
    const whole = { name: 'Ed', hue: 3, card: '1', column: 'title', editing: true, at: serverTimestamp() };
    for (const uid of ['vic', 'ed', 'olga']) {
      const db = as(uid, { name: 'Ed' });
      const write = (change) =>
        setDoc(doc(db, `${DECK}/components/c/presence/${uid}`), { uid, ...whole, ...change });
      await may(write({}));
      await may(write({ card: null, column: null, name: 'Somebody' }));
      for (const change of [
        { name: 'Anna' },
        { uid: 'anna' },
        { hue: 'red' },
        { card: 'x'.repeat(201) },
        { column: 5 },
        { editing: 'x' },
        { at: new Date(0) },
        { more: 'x'.repeat(900_000) },
      ]) {
        await mayNot(write(change));
      }
    }
  });

  policy('a shared layout opens by its link, and cannot be searched for', async () => {
    for (const [shared, layouts] of [
      [`${LIBRARY}/shared`, LIBRARY],
      [`${DECK}/layouts/shared`, `${DECK}/layouts`],
    ]) {
      for (const uid of ['mallory', 'pat']) await may(get(as(uid), shared));
      await mayNot(get(nobody(), shared));
      await mayNot(getDocs(collection(as('mallory'), `${shared}/versions`)));
      await mayNot(getDocs(query(collection(as('mallory'), layouts), where('shared', '==', true))));
      await mayNot(updateDoc(doc(as('mallory'), shared), { name: 'Mine' }));
      await mayNot(deleteDoc(doc(as('mallory'), shared)));
    }
    await mayNot(get(as('mallory'), `${LIBRARY}/own`));
    await mayNot(get(as('mallory'), `${DECK}/layouts/used`));
    await environment.withSecurityRulesDisabled((context) =>
      setDoc(doc(context.firestore(), 'site/state'), { flags: { sharing: false } }),
    );
    for (const shared of [`${LIBRARY}/shared`, `${DECK}/layouts/shared`]) {
      await mayNot(get(as('mallory'), shared));
      await may(get(as('anna'), shared));
    }
    await may(get(as('vic'), `${DECK}/layouts/shared`));
    await environment.withSecurityRulesDisabled((context) =>
      deleteDoc(doc(context.firestore(), 'site/state')),
    );
  });

  policy('the seated see the table, their own hand, and no other', async () => {
    for (const uid of ['anna', 'pat', 'guest']) await may(get(as(uid), 'playtests/s/table/token'));
    await mayNot(get(as('mallory'), 'playtests/s/table/token'));
    await may(getDocs(collection(as('pat'), 'playtests/s/hands/red/cards')));
    for (const uid of ['guest', 'anna', 'mallory']) {
      await mayNot(get(as(uid), 'playtests/s/hands/red/cards/1'));
      await mayNot(getDocs(collection(as(uid), 'playtests/s/hands/red/cards')));
    }
    for (const uid of ['anna', 'pat']) {
      await mayNot(setDoc(doc(as(uid), 'playtests/s/table/token'), { x: 2 }));
      await mayNot(setDoc(doc(as(uid), 'playtests/s/hands/red/cards/2'), { face: 'King' }));
    }
  });

  policy('a hand stays closed to a guess inside a transaction', async () => {
    const db = as('guest');
    await mayNot(
      runTransaction(db, (transaction) => transaction.get(doc(db, 'playtests/s/hands/red/cards/1'))),
    );
  });

  policy('a table is written by the server alone, and seen by the members of its project', async () => {
    for (const uid of ['anna', 'ed', 'pat']) {
      await mayNot(setDoc(doc(as(uid), 'playtests/t'), { ownerId: uid, projectId: 'd' }));
      await mayNot(updateDoc(doc(as(uid), 'playtests/s'), { name: 'Friday' }));
      await mayNot(updateDoc(doc(as(uid), 'playtests/s'), { playerIds: [uid] }));
      await mayNot(deleteDoc(doc(as(uid), 'playtests/s')));
    }
    for (const uid of ['anna', 'ed', 'vic', 'pat', 'guest']) await may(get(as(uid), 'playtests/s'));
    await mayNot(get(as('mallory'), 'playtests/s'));
    const mine = query(collection(as('pat'), 'playtests'), where('playerIds', 'array-contains', 'pat'));
    await may(getDocs(mine));
    const ofProject = (uid) => query(collection(as(uid), 'playtests'), where('projectId', '==', 'd'));
    await may(getDocs(ofProject('pat')));
    await mayNot(getDocs(ofProject('mallory')));
    await mayNot(getDocs(collection(as('pat'), 'playtests')));
  });

  policy('feedback is read by who wrote it and by the owner of the session', async () => {
    await may(get(as('pat'), 'playtests/s/feedback/f'));
    await may(get(as('anna'), 'playtests/s/feedback/f'));
    await mayNot(get(as('guest'), 'playtests/s/feedback/f'));
    await mayNot(setDoc(doc(as('guest'), 'playtests/s/feedback/g'), { authorId: 'guest', text: 'ok' }));
  });

  policy('a listener ends when its role does', async () => {
    const ended = new Promise((resolve, reject) => {
      let opened = false;
      onSnapshot(
        doc(as('vic'), `${DECK}/components/c`),
        async () => {
          if (opened) return;
          opened = true;
          await environment.withSecurityRulesDisabled((context) =>
            updateDoc(doc(context.firestore(), DECK), { 'members.vic': 'none' }),
          );
          await environment.withSecurityRulesDisabled((context) =>
            updateDoc(doc(context.firestore(), `${DECK}/components/c`), { name: 'Secret' }),
          );
        },
        (error) =>
          error.code === 'permission-denied' && opened ? resolve() : reject(new Error(String(error))),
      );
    });
    await ended;
  });
}
