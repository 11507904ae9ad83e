// The policy of translations: editors begin and end them, and translators write those of their languages and nothing else.
import {
  collection,
  collectionGroup,
  deleteDoc,
  deleteField,
  doc,
  getDoc,
  getDocs,
  serverTimestamp,
  setDoc,
  updateDoc,
  writeBatch,
} from 'firebase/firestore';
import { deleteObject, getBytes, ref, uploadBytes } from 'firebase/storage';

const DECK = 'projects/d';
const BOOK = `${DECK}/rulebooks/b`;
const MEMBERS = {
  anna: 'owner',
  ed: 'editor',
  tina: 'translator',
  tom: 'translator',
  lost: 'translator',
  cleo: 'commenter',
  vic: 'viewer',
  pat: 'playtester',
};
const BEGUN = { by: 'anna', at: 1 };
const TEXTS = { 'c.c.1.title': { source: 'One', text: 'Eins' } };
const SEED = {
  [DECK]: {
    name: 'Deck',
    owner: 'anna',
    members: MEMBERS,
    memberIds: Object.keys(MEMBERS),
    people: { tina: 'Tina' },
    // Whoever is no translator has no languages, whatever the map says.
    translates: { tina: ['de', 'pl'], tom: ['fr'], cleo: ['de'], vic: ['de'], pat: ['de'], mallory: ['de'] },
  },
  [`${DECK}/components/c`]: { name: 'Cards' },
  [`${DECK}/components/c/cards/1`]: { cells: { title: 'One' } },
  [`${DECK}/layouts/l`]: { name: 'Front' },
  [`${DECK}/notes/main`]: { text: 'Idea' },
  [`${DECK}/images/p`]: { path: 'fox.png', file: `${DECK}/images/fox.png`, url: '/file' },
  [`${DECK}/gameVersions/v`]: { kind: 'named', name: 'v1' },
  [`${DECK}/languages/de`]: BEGUN,
  [`${DECK}/languages/de/parts/0`]: { units: TEXTS },
  [`${DECK}/languages/fr`]: BEGUN,
  [`${DECK}/invitations/i`]: { role: 'editor', email: 'new@example.com', expiresAt: 1 },
  [BOOK]: { title: 'Rules', head: 0, deletedAt: 0 },
  [`${BOOK}/languages/de`]: BEGUN,
  [`${BOOK}/languages/fr`]: BEGUN,
  [`${DECK}/comments/k`]: { authorId: 'cleo', text: 'fine' },
};

/** Declares the tests. */
export function translationTests(environment, { test, may, mayNot }) {
  const as = (uid) => environment.authenticatedContext(uid).firestore();
  const nobody = () => environment.unauthenticatedContext().firestore();
  const policy = (name, run) =>
    test(`translations: ${name}`, async () => {
      await environment.withSecurityRulesDisabled(async (context) => {
        const db = context.firestore();
        await Promise.all(Object.entries(SEED).map(([path, data]) => setDoc(doc(db, path), data)));
      });
      await run();
    });
  const get = (db, path) => getDoc(doc(db, path));
  const set = (uid, path, data) => setDoc(doc(as(uid), path), data);
  const remove = (uid, path) => deleteDoc(doc(as(uid), path));
  const begun = (uid) => ({ by: uid, at: serverTimestamp() });
  const PLACES = [DECK, BOOK];

  policy('editors and owners begin one, in their own name, and delete it', async () => {
    for (const place of PLACES) {
      for (const [uid, language] of [
        ['anna', 'pl'],
        ['ed', 'pt-br'],
      ]) {
        await may(set(uid, `${place}/languages/${language}`, begun(uid)));
        await may(set(uid, `${place}/languages/${language}/parts/a`, { units: TEXTS }));
        await may(remove(uid, `${place}/languages/${language}/parts/a`));
        await may(remove(uid, `${place}/languages/${language}`));
      }
      for (const [language, data] of [
        ['PL', begun('ed')],
        ['polish!', begun('ed')],
        ['pl', begun('anna')],
        ['pl', { ...begun('ed'), by: 'tina' }],
        ['pl', { ...begun('ed'), more: 1 }],
      ]) {
        await mayNot(set('ed', `${place}/languages/${language}`, data));
      }
      for (const uid of ['tina', 'cleo', 'vic', 'pat', 'mallory']) {
        await mayNot(set(uid, `${place}/languages/pl`, begun(uid)));
        await mayNot(remove(uid, `${place}/languages/de`));
      }
    }
  });

  policy('a translator writes the parts of their languages, of cards and rulebooks', async () => {
    for (const place of PLACES) {
      await may(set('tina', `${place}/languages/de/parts/0`, { units: TEXTS }));
      await may(
        set('tina', `${place}/languages/de/parts/f`, {
          units: { 't.fox': { source: 'Fox', text: 'Fuchs' } },
        }),
      );
      await may(updateDoc(doc(as('tina'), `${place}/languages/de/parts/f`), { 'units.x': deleteField() }));
      await may(set('tom', `${place}/languages/fr/parts/0`, { units: TEXTS }));
      await may(set('ed', `${place}/languages/fr/parts/0`, { units: TEXTS }));
      for (const [uid, language] of [
        ['tina', 'fr'],
        ['tom', 'de'],
        // A language that nobody has begun, and one that begins with the name of another.
        ['tina', 'pl'],
        ['tina', 'de-at'],
        ['lost', 'de'],
        ['cleo', 'de'],
        ['vic', 'de'],
        ['pat', 'de'],
        ['mallory', 'de'],
      ]) {
        await mayNot(set(uid, `${place}/languages/${language}/parts/0`, { units: TEXTS }));
      }
      await mayNot(setDoc(doc(nobody(), `${place}/languages/de/parts/0`), { units: TEXTS }));
      for (const [part, data] of [
        ['g', { units: TEXTS }],
        ['0', { units: [] }],
        ['0', { units: TEXTS, more: 1 }],
        ['0', {}],
      ]) {
        await mayNot(set('tina', `${place}/languages/de/parts/${part}`, data));
      }
      await mayNot(remove('tina', `${place}/languages/de/parts/0`));
    }
  });

  policy('one write into a foreign language takes those beside it along', async () => {
    const db = as('tina');
    const batch = writeBatch(db);
    batch.set(doc(db, `${DECK}/languages/de/parts/1`), { units: TEXTS });
    batch.set(doc(db, `${DECK}/languages/fr/parts/1`), { units: TEXTS });
    await mayNot(batch.commit());
    await may(getDoc(doc(as('anna'), `${DECK}/languages/de/parts/1`)));
    const begins = writeBatch(db);
    begins.set(doc(db, `${DECK}/languages/pl`), begun('tina'));
    begins.set(doc(db, `${DECK}/languages/pl/parts/1`), { units: TEXTS });
    await mayNot(begins.commit());
  });

  policy('a translator reads the project and writes nothing else', async () => {
    for (const path of [
      DECK,
      `${DECK}/components/c/cards/1`,
      `${DECK}/layouts/l`,
      `${DECK}/images/p`,
      `${DECK}/gameVersions/v`,
      `${DECK}/languages/fr`,
      BOOK,
    ]) {
      await may(get(as('tina'), path));
    }
    await may(getDocs(collection(as('tina'), `${DECK}/languages`)));
    for (const [path, data] of [
      [`${DECK}/components/c`, { name: 'Mine' }],
      [`${DECK}/components/c/cards/1`, { cells: { title: 'Eins' } }],
      [`${DECK}/components/c/cards/2`, { cells: {} }],
      [`${DECK}/layouts/l`, { name: 'Mine' }],
      [`${DECK}/layouts/l/versions/v`, { name: 'Mine' }],
      [`${DECK}/images/q`, { path: 'owl.png', file: `${DECK}/images/owl.png`, url: '/file' }],
      [`${DECK}/fonts/f`, { family: 'F', name: 'F', file: `${DECK}/fonts/f.ttf`, url: '/file' }],
      [`${DECK}/notes/main`, { text: 'Mine' }],
      [`${DECK}/printPresets/p`, { name: 'P', settings: {} }],
      [`${DECK}/printRuns/r`, { number: 1 }],
      [`${DECK}/gameVersions/w`, { kind: 'named', name: 'v2' }],
      [BOOK, { title: 'Mine', head: 0 }],
      [`${DECK}/rulebooks/new`, { title: 'Mine', head: 0 }],
      [`${BOOK}/steps/000000001`, { client: 'w', by: 'tina', at: serverTimestamp(), s: '[]' }],
      [`${DECK}/invitations/j`, { role: 'owner' }],
      ['shares/aaaaaaaaaaaaaaaaaaaaaaaa', { projectId: 'd', by: 'tina' }],
    ]) {
      await mayNot(set('tina', path, data));
    }
    for (const change of [
      { name: 'Mine' },
      { language: 'de' },
      { trashedAt: 1 },
      { 'translates.tina': ['de', 'fr'] },
      { 'members.tina': 'editor' },
    ]) {
      await mayNot(updateDoc(doc(as('tina'), DECK), change));
    }
    await mayNot(updateDoc(doc(as('anna'), DECK), { 'translates.tina': ['de', 'fr'] }));
    await mayNot(updateDoc(doc(as('tina'), `${DECK}/gameVersions/v`), { name: 'v2' }));
    for (const path of [
      'components/c',
      'components/c/cards/1',
      'layouts/l',
      'images/p',
      'notes/main',
      'gameVersions/v',
    ])
      await mayNot(remove('tina', `${DECK}/${path}`));
    await mayNot(get(as('tina'), `${DECK}/invitations/i`));
    await mayNot(getDocs(collection(as('tina'), `${DECK}/invitations`)));
    await mayNot(getDocs(collectionGroup(as('tina'), 'invitations')));
  });

  policy('a translator asks about a card in their own name', async () => {
    const remark = { authorId: 'tina', authorName: 'Tina', component: 'c', card: '1', text: 'Who is one?' };
    await may(set('tina', `${DECK}/comments/t`, remark));
    await may(updateDoc(doc(as('tina'), `${DECK}/comments/t`), { text: 'Which one?' }));
    await mayNot(set('tina', `${DECK}/comments/u`, { ...remark, authorId: 'cleo' }));
    await mayNot(updateDoc(doc(as('tina'), `${DECK}/comments/k`), { text: 'Mine' }));
    await mayNot(remove('tina', `${DECK}/comments/k`));
    await may(remove('tina', `${DECK}/comments/t`));
  });

  policy('whoever stops being a translator writes no more', async () => {
    await may(set('tina', `${DECK}/languages/de/parts/0`, { units: TEXTS }));
    for (const change of [
      { 'translates.tina': ['fr'] },
      { 'members.tina': 'viewer', 'translates.tina': ['de'] },
    ]) {
      await environment.withSecurityRulesDisabled((context) =>
        updateDoc(doc(context.firestore(), DECK), change),
      );
      await mayNot(set('tina', `${DECK}/languages/de/parts/0`, { units: TEXTS }));
    }
  });

  policy('nobody makes a project that says who translates', async () => {
    const own = { owner: 'ed', members: { ed: 'owner' }, memberIds: ['ed'], name: 'New' };
    await mayNot(set('ed', 'projects/new', { ...own, translates: { tina: ['de'] } }));
    await may(set('ed', 'projects/new', own));
  });

  policy('a translator looks at an opened version, and writes into none', async () => {
    await environment.withSecurityRulesDisabled(async (context) => {
      const db = context.firestore();
      await setDoc(doc(db, 'projects/d~v'), { name: 'Deck', frozenOf: 'd', translates: { tina: ['de'] } });
      await setDoc(doc(db, 'projects/d~v/languages/de'), BEGUN);
    });
    await may(get(as('tina'), 'projects/d~v/languages/de'));
    await mayNot(set('tina', 'projects/d~v/languages/de/parts/0', { units: TEXTS }));
  });

  policy('a translator reads the files of the project and puts exports of their own alone', async () => {
    const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
    const put = (storage, name) => uploadBytes(ref(storage, name), png, { contentType: 'image/png' });
    await environment.withSecurityRulesDisabled((context) =>
      put(context.storage(), `${DECK}/images/fox.png`),
    );
    const storage = environment.authenticatedContext('tina').storage();
    await may(getBytes(ref(storage, `${DECK}/images/fox.png`)));
    await may(put(storage, `${DECK}/exports/tina/x/a.png`));
    await may(deleteObject(ref(storage, `${DECK}/exports/tina/x/a.png`)));
    for (const name of ['images/fox.png', 'images/owl.png', 'exports/ed/x/a.png'])
      await mayNot(put(storage, `${DECK}/${name}`));
    await mayNot(deleteObject(ref(storage, `${DECK}/images/fox.png`)));
  });
}
