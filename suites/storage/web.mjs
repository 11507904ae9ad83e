// The web API for files against a running server: the official package as it is, and the client's own shim,
// through the same tests.
import assert from 'node:assert/strict';

import { BUCKET, noise, test } from './common.mjs';

const encoded = (text) => new TextEncoder().encode(text);
const decoded = (bytes) => new TextDecoder().decode(bytes);
const base64 = (text) => btoa(String.fromCharCode(...encoded(text)));
/** True if two buffers are equal; `deepEqual` is slow for megabytes. */
function same(one, other) {
  const [a, b] = [new Uint8Array(one), new Uint8Array(other)];
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}

const code = (expected) => (error) => {
  assert.equal(error.code, expected);
  return true;
};

/** Registers the tests. */
export function webTests(server, label, sdk, storageOf) {
  const { deleteObject, getBytes, getDownloadURL, getMetadata, list, listAll, ref, updateMetadata } = sdk;
  const { uploadBytes, uploadBytesResumable, uploadString } = sdk;
  const mine = storageOf(server.origin, 'u1');
  const theirs = storageOf(server.origin, 'u2');
  const nobodys = storageOf(server.origin, '');
  const file = (name) => ref(mine, `users/u1/${name}`);

  test(`${label}: a small file goes up and comes back`, async () => {
    const data = noise(3000);
    const { metadata } = await uploadBytes(file('dir/a ü.bin'), data, {
      contentType: 'application/x-game',
      cacheControl: 'max-age=60',
      customMetadata: { color: 'blue' },
    });
    assert.equal(metadata.fullPath, 'users/u1/dir/a ü.bin');
    assert.equal(metadata.size, 3000);
    assert.equal(metadata.contentType, 'application/x-game');
    assert.equal(metadata.cacheControl, 'max-age=60');
    assert.deepEqual(metadata.customMetadata, { color: 'blue' });
    assert.equal(metadata.metageneration, '1');
    assert.deepEqual(new Uint8Array(await getBytes(file('dir/a ü.bin'))), data);
    assert.deepEqual(new Uint8Array(await getBytes(file('dir/a ü.bin'), 10)), data.slice(0, 10));
  });

  if (uploadString !== undefined)
    test(`${label}: strings in every format`, async () => {
      const formats = [
        ['raw', 'héllo'],
        ['base64', base64('héllo')],
        ['base64url', base64('héllo').replaceAll('+', '-').replaceAll('/', '_')],
        ['data_url', `data:text/plain;base64,${base64('héllo')}`],
      ];
      for (const [format, text] of formats) {
        const { metadata } = await uploadString(file('s.txt'), text, format);
        assert.equal(decoded(await getBytes(file('s.txt'))), 'héllo');
        if (format === 'data_url') assert.equal(metadata.contentType, 'text/plain');
      }
    });

  test(`${label}: an empty file`, async () => {
    await uploadBytes(file('empty'), new Uint8Array(0));
    assert.equal((await getMetadata(file('empty'))).size, 0);
    assert.equal((await getBytes(file('empty'))).byteLength, 0);
  });

  test(`${label}: a resumable upload with progress`, async () => {
    const data = noise(3 * 1024 * 1024 + 17);
    const task = uploadBytesResumable(file('big'), data);
    const progress = [];
    task.on('state_changed', (snapshot) => progress.push(snapshot.bytesTransferred));
    const snapshot = await task;
    assert.equal(snapshot.state, 'success');
    assert.equal(snapshot.metadata.size, data.length);
    assert.equal(progress.at(-1), data.length);
    assert.ok(progress.length > 2);
    assert.ok(same(await getBytes(file('big')), data));
  });

  test(`${label}: pause, resume, cancel`, async () => {
    const data = noise(2 * 1024 * 1024);
    const task = uploadBytesResumable(file('paused'), data);
    await new Promise((paused) => {
      const stop = task.on('state_changed', (snapshot) => {
        if (snapshot.state === 'paused') {
          stop();
          paused();
        } else if (snapshot.bytesTransferred > 0) {
          task.pause();
        }
      });
    });
    await assert.rejects(getMetadata(file('paused')), code('storage/object-not-found'));
    task.resume();
    assert.equal((await task).totalBytes, data.length);
    const cancelled = uploadBytesResumable(file('cancelled'), data);
    cancelled.on('state_changed', (snapshot) => {
      if (snapshot.bytesTransferred > 0) cancelled.cancel();
    });
    await assert.rejects(cancelled, code('storage/canceled'));
    await assert.rejects(getMetadata(file('cancelled')), code('storage/object-not-found'));
  });

  test(`${label}: twenty uploads at once`, async () => {
    const all = Array.from({ length: 20 }, (_, i) => noise(300_000 + i, i + 1));
    await Promise.all(all.map((data, i) => uploadBytesResumable(file(`many/${i}`), data)));
    const { items } = await listAll(file('many'));
    assert.equal(items.length, 20);
    for (const [i, data] of all.entries()) {
      assert.ok(same(await getBytes(file(`many/${i}`)), data));
    }
  });

  test(`${label}: metadata can be changed and unset`, async () => {
    await uploadBytes(file('m'), noise(5), { contentLanguage: 'de', customMetadata: { a: '1', b: '2' } });
    const changed = await updateMetadata(file('m'), {
      contentLanguage: null,
      contentDisposition: 'attachment',
      customMetadata: { a: null, c: '3' },
    });
    assert.equal(changed.contentLanguage, undefined);
    assert.equal(changed.contentDisposition, 'attachment');
    assert.deepEqual(changed.customMetadata, { b: '2', c: '3' });
    assert.equal((await getMetadata(file('m'))).metageneration, '2');
  });

  test(`${label}: a download URL opens for anybody and can be cached`, async () => {
    await uploadBytes(file('pub.txt'), encoded('hello'), { contentType: 'text/plain' });
    const url = await getDownloadURL(file('pub.txt'));
    assert.ok(url.startsWith(`${server.origin}/v0/b/${BUCKET}/o/users%2Fu1%2Fpub.txt?alt=media&token=`));
    const reply = await fetch(url);
    assert.equal(await reply.text(), 'hello');
    assert.match(reply.headers.get('cache-control'), /immutable/);
    assert.equal((await fetch(`${url}x`)).status, 403);
    assert.equal(await getDownloadURL(file('pub.txt')), url);
    const part = await fetch(url, { headers: { Range: 'bytes=1-2' } });
    assert.deepEqual([part.status, await part.text()], [206, 'el']);
  });

  test(`${label}: lists by folder and page`, async () => {
    await Promise.all(['1', '2', '3', 'd/4', 'e/5'].map((name) => uploadBytes(file(`l/${name}`), noise(1))));
    const all = await listAll(file('l'));
    assert.deepEqual(
      all.items.map((item) => item.name),
      ['1', '2', '3'],
    );
    assert.deepEqual(
      all.prefixes.map((prefix) => prefix.name),
      ['d', 'e'],
    );
    const seen = [];
    let pageToken;
    do {
      const page = await list(file('l'), { maxResults: 2, ...(pageToken ? { pageToken } : {}) });
      seen.push(...page.prefixes.map((prefix) => prefix.name), ...page.items.map((item) => item.name));
      pageToken = page.nextPageToken;
    } while (pageToken);
    assert.deepEqual(seen.sort(), ['1', '2', '3', 'd', 'e']);
  });

  test(`${label}: deleted is gone`, async () => {
    await uploadBytes(file('gone'), noise(5));
    await deleteObject(file('gone'));
    await assert.rejects(getBytes(file('gone')), code('storage/object-not-found'));
    await assert.rejects(deleteObject(file('gone')), code('storage/object-not-found'));
  });

  test(`${label}: others are kept out`, async () => {
    await uploadBytes(file('mine'), noise(5));
    for (const storage of [theirs, nobodys]) {
      const foreign = ref(storage, 'users/u1/mine');
      await assert.rejects(getMetadata(foreign), code('storage/unauthorized'));
      await assert.rejects(getBytes(foreign), code('storage/unauthorized'));
      await assert.rejects(uploadBytes(foreign, noise(5)), code('storage/unauthorized'));
      await assert.rejects(uploadBytesResumable(foreign, noise(300_000)), code('storage/unauthorized'));
      await assert.rejects(deleteObject(foreign), code('storage/unauthorized'));
      await assert.rejects(listAll(ref(storage, 'users/u1')), code('storage/unauthorized'));
    }
    await assert.rejects(getMetadata(ref(mine, 'elsewhere')), code('storage/unauthorized'));
  });

  test(`${label}: a full quota is told as such`, async () => {
    const full = noise(8 * 1024 * 1024);
    const other = full.slice();
    other[0] ^= 1;
    await uploadBytes(file('q1'), full);
    await assert.rejects(uploadBytes(file('q2'), other), code('storage/quota-exceeded'));
    await assert.rejects(uploadBytesResumable(file('q2'), other), code('storage/quota-exceeded'));
    // The same content counts once.
    await uploadBytes(file('q3'), full);
    await deleteObject(file('q3'));
    await deleteObject(file('q1'));
    await uploadBytes(file('q2'), other);
  });
}
