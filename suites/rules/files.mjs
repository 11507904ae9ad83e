// The policy of files, sentence by sentence: who may, and who may not.
import { doc, setDoc } from 'firebase/firestore';
import { deleteObject, getBytes, listAll, ref, uploadBytes } from 'firebase/storage';

const PNG = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const IMAGE = { contentType: 'image/png' };
const FILES = [
  'users/anna/art/a.png',
  'projects/d/art/a.png',
  'projects/d/exports/vic/x/a.png',
  'users/anna/decks/d/exports/x/a.png',
  'stock/pack/a.png',
];

/** Declares the tests. */
export function fileTests(environment, { test, may, mayNot }) {
  const as = (uid, claims) => environment.authenticatedContext(uid, claims).storage();
  const nobody = () => environment.unauthenticatedContext().storage();
  const put = (storage, name, metadata = IMAGE) => uploadBytes(ref(storage, name), PNG, metadata);
  const policy = (name, run) =>
    test(`files: ${name}`, async () => {
      await environment.withSecurityRulesDisabled(async (context) => {
        const db = context.firestore();
        const members = { anna: 'owner', ed: 'editor', vic: 'viewer', pat: 'playtester' };
        await setDoc(doc(db, 'projects/d'), { owner: 'anna', members });
        for (const name of FILES) await put(context.storage(), name);
      });
      await run();
    });

  policy('users own what is below their name', async () => {
    await may(getBytes(ref(as('anna'), 'users/anna/art/a.png')));
    await may(put(as('anna'), 'users/anna/art/b.png'));
    await may(listAll(ref(as('anna'), 'users/anna/art')));
    await may(deleteObject(ref(as('anna'), 'users/anna/art/a.png')));
    for (const storage of [as('mallory'), nobody()]) {
      await mayNot(getBytes(ref(storage, 'users/anna/art/b.png')));
      await mayNot(put(storage, 'users/anna/art/b.png'));
      await mayNot(listAll(ref(storage, 'users/anna/art')));
      await mayNot(deleteObject(ref(storage, 'users/anna/art/b.png')));
    }
  });

  policy('nothing is put that a browser would run', async () => {
    for (const contentType of ['text/html', 'application/xhtml+xml', 'application/javascript']) {
      await mayNot(put(as('anna'), 'users/anna/art/bad', { contentType }));
    }
  });

  policy('drawings are put up to a megabyte', async () => {
    const contentType = 'image/svg+xml';
    await may(put(as('anna'), 'users/anna/art/a.svg', { contentType }));
    const large = ref(as('anna'), 'users/anna/art/large.svg');
    await mayNot(uploadBytes(large, new Uint8Array(1024 * 1024 + 1), { contentType }));
  });

  policy('members read a deck’s files, editors put them, a playtester sees none', async () => {
    const file = 'projects/d/art/a.png';
    for (const uid of ['ed', 'vic']) await may(getBytes(ref(as(uid), file)));
    for (const uid of ['pat', 'mallory']) await mayNot(getBytes(ref(as(uid), file)));
    await may(put(as('ed'), 'projects/d/art/b.png'));
    await mayNot(put(as('vic'), 'projects/d/art/c.png'));
    await mayNot(put(as('ed'), 'users/anna/art/b.png'));
    await may(deleteObject(ref(as('ed'), file)));
  });

  policy('who sees a project puts exports below their own name', async () => {
    for (const uid of ['anna', 'ed', 'vic']) await may(put(as(uid), `projects/d/exports/${uid}/y/b.png`));
    for (const uid of ['pat', 'mallory']) await mayNot(put(as(uid), `projects/d/exports/${uid}/y/b.png`));
    await mayNot(put(as('vic'), 'projects/d/exports/ed/y/b.png'));
    await mayNot(deleteObject(ref(as('pat'), 'projects/d/exports/vic/x/a.png')));
    await may(deleteObject(ref(as('vic'), 'projects/d/exports/vic/x/a.png')));
    // Exports from before lie with whoever made them.
    await may(getBytes(ref(as('anna'), 'users/anna/decks/d/exports/x/a.png')));
    await mayNot(getBytes(ref(as('ed'), 'users/anna/decks/d/exports/x/a.png')));
  });

  policy('stock is read by the signed-in and filled by admins', async () => {
    await may(getBytes(ref(as('mallory'), 'stock/pack/a.png')));
    await mayNot(getBytes(ref(nobody(), 'stock/pack/a.png')));
    await mayNot(put(as('mallory'), 'stock/pack/b.png'));
    const admin = as('root', { admin: true });
    await may(put(admin, 'stock/pack/b.png'));
    await mayNot(getBytes(ref(admin, 'users/anna/art/a.png')));
    await mayNot(deleteObject(ref(admin, 'users/anna/art/a.png')));
  });
}
