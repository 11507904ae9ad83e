// firebase-admin and @google-cloud/storage, as they are, against a running server.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { gunzipSync } from 'node:zlib';
import { Storage } from '@google-cloud/storage';
import { initializeApp } from 'firebase-admin/app';
import { getStorage } from 'firebase-admin/storage';

import { BUCKET, noise, PROJECT, test } from './common.mjs';

/** Registers the tests. */
export function adminTests(server) {
  process.env.STORAGE_EMULATOR_HOST = server.origin;
  process.env.FIREBASE_STORAGE_EMULATOR_HOST = new URL(server.origin).host;
  const app = initializeApp({ projectId: PROJECT, storageBucket: BUCKET }, 'admin');
  const bucket = getStorage(app).bucket();
  const direct = new Storage({ projectId: PROJECT, apiEndpoint: server.origin }).bucket(BUCKET);

  test('admin: save and download, in one request and resumable', async () => {
    for (const [subject, resumable] of [
      [bucket, false],
      [bucket, true],
      [direct, false],
      [direct, true],
    ]) {
      const data = Buffer.from(noise(700_000, resumable ? 2 : 3));
      const file = subject.file('users/u1/dir/a ü.bin');
      await file.save(data, {
        resumable,
        contentType: 'application/x-game',
        metadata: { metadata: { k: 'v' } },
      });
      const [metadata] = await file.getMetadata();
      assert.equal(metadata.contentType, 'application/x-game');
      assert.equal(Number(metadata.size), data.length);
      assert.deepEqual(metadata.metadata, { k: 'v' });
      const [back] = await file.download();
      assert.ok(back.equals(data));
    }
  });

  test('admin: chunked resumable upload', async () => {
    const data = Buffer.from(noise(1_000_000, 5));
    const file = direct.file('chunked');
    await pipeline(Readable.from([data]), file.createWriteStream({ resumable: true, chunkSize: 256 * 1024 }));
    const [back] = await file.download();
    assert.ok(back.equals(data));
  });

  test('admin: a file of 300 MiB, sent and read without being held in memory', async () => {
    const block = Buffer.from(noise(1 << 20, 7));
    const blocks = 300;
    for (const chunkSize of [undefined, 32 << 20]) {
      const before = await server.memory();
      let most = before;
      const sent = createHash('md5');
      async function* data() {
        for (let n = 0; n < blocks; n++) {
          if (n % 20 === 0) most = Math.max(most, await server.memory());
          block.writeUInt32LE(n);
          sent.update(block);
          yield Buffer.from(block);
        }
      }
      const file = direct.file('users/u1/large.bin');
      await pipeline(Readable.from(data()), file.createWriteStream({ resumable: true, chunkSize }));
      most = Math.max(most, await server.memory());
      const received = createHash('md5');
      await pipeline(file.createReadStream(), async (stream) => {
        for await (const chunk of stream) received.update(chunk);
      });
      most = Math.max(most, await server.memory());
      assert.equal(received.digest('hex'), sent.digest('hex'));
      assert.ok(most - before < 100, `${Math.round(most - before)} MiB more for a file of ${blocks}`);
    }
  });

  test('admin: checksums are validated by the library', async () => {
    const file = bucket.file('sum');
    for (const validation of ['md5', 'crc32c']) {
      await file.save('hello', { validation });
      const [back] = await file.download({ validation });
      assert.equal(back.toString(), 'hello');
    }
    const [metadata] = await file.getMetadata();
    assert.equal(metadata.crc32c, 'mnG7TA==');
    assert.equal(metadata.md5Hash, 'XUFAKrxLKna5cZ2REBfFkg==');
  });

  test('admin: ranges of a stream', async () => {
    const file = bucket.file('range');
    await file.save('hello world');
    const [part] = await file.download({ start: 6, end: 8 });
    assert.equal(part.toString(), 'wor');
  });

  test('admin: gzip is unpacked unless asked for', async () => {
    const file = bucket.file('zipped');
    await file.save('hello world', { gzip: true, contentType: 'text/plain' });
    assert.equal(file.metadata.contentEncoding, 'gzip');
    const [plain] = await file.download();
    assert.equal(plain.toString(), 'hello world');
    const [raw] = await file.download({ decompress: false });
    assert.equal(gunzipSync(raw).toString(), 'hello world');
  });

  test('admin: metadata and tokens', async () => {
    const file = bucket.file('m');
    await file.save('x');
    await file.setMetadata({ cacheControl: 'no-cache', metadata: { a: '1', n: 2 } });
    const [changed] = await file.setMetadata({
      metadata: { a: null, firebaseStorageDownloadTokens: 't1,t2' },
    });
    assert.deepEqual(changed.metadata, { n: '2', firebaseStorageDownloadTokens: 't1,t2' });
    assert.equal(changed.cacheControl, 'no-cache');
    for (const [token, status] of [
      ['t1', 200],
      ['t2', 200],
      ['t3', 403],
    ]) {
      const reply = await fetch(`${server.origin}/v0/b/${BUCKET}/o/m?alt=media&token=${token}`);
      assert.equal(reply.status, status);
    }
  });

  test('admin: lists with prefixes, delimiters and pages', async () => {
    const names = ['a', 'p', 'p/1', 'p/2', 'p/d/3', 'q/4'];
    await Promise.all(names.map((name) => bucket.file(name).save('x')));
    const of = async (options) => {
      const [files, , reply] = await bucket.getFiles({ autoPaginate: false, ...options });
      return [files.map((file) => file.name), reply.prefixes];
    };
    assert.deepEqual(await of({}), [names, undefined]);
    assert.deepEqual(await of({ delimiter: '/' }), [
      ['a', 'p'],
      ['p/', 'q/'],
    ]);
    assert.deepEqual(await of({ prefix: 'p/', delimiter: '/' }), [['p/1', 'p/2'], ['p/d/']]);
    assert.deepEqual(await of({ prefix: 'none/' }), [[], undefined]);
    const [paged] = await bucket.getFiles({ maxResults: 2, autoPaginate: true });
    assert.equal(paged.length, 2);
    const seen = [];
    for await (const file of bucket.getFilesStream({ maxResults: 100 })) seen.push(file.name);
    assert.deepEqual(seen, names);
  });

  test('admin: copy, move, exists, delete', async () => {
    const file = bucket.file('from');
    await file.save('x', { metadata: { metadata: { k: 'v' } } });
    const [copy] = await file.copy(getStorage(app).bucket('other-bucket').file('to'));
    assert.deepEqual((await copy.getMetadata())[0].metadata, { k: 'v' });
    await file.move('moved');
    assert.deepEqual(await file.exists(), [false]);
    assert.deepEqual(await bucket.file('moved').exists(), [true]);
    await bucket.file('moved').delete();
    assert.deepEqual(await bucket.file('moved').exists(), [false]);
    await assert.rejects(bucket.file('moved').delete(), (error) => error.code === 404);
    await bucket.file('moved').delete({ ignoreNotFound: true });
  });

  test('admin: errors say what is missing', async () => {
    await assert.rejects(bucket.file('blah').getMetadata(), (error) => {
      assert.equal(error.code, 404);
      assert.match(error.message, new RegExp(`No such object: ${BUCKET}/blah`));
      assert.equal(error.errors[0].reason, 'notFound');
      return true;
    });
    await assert.rejects(bucket.file('blah').download(), (error) => error.code === 404);
  });

  test('admin: conditions on generations', async () => {
    const file = bucket.file('g');
    await file.save('1', { preconditionOpts: { ifGenerationMatch: 0 } });
    await assert.rejects(
      file.save('2', { preconditionOpts: { ifGenerationMatch: 0 } }),
      (error) => error.code === 412,
    );
    const [metadata] = await file.getMetadata();
    await file.save('3', { preconditionOpts: { ifGenerationMatch: metadata.generation } });
    assert.equal((await file.download())[0].toString(), '3');
  });

  test('admin: making public changes nothing but the metageneration', async () => {
    const file = bucket.file('a/b');
    await file.save('x');
    await file.makePublic();
    assert.equal((await file.getMetadata())[0].metageneration, '2');
    assert.equal(await (await fetch(`${server.origin}/${BUCKET}/a/b`)).text(), 'x');
  });

  test('admin: every bucket is listed', async () => {
    await bucket.file('a').save('x');
    const [buckets] = await new Storage({ projectId: PROJECT, apiEndpoint: server.origin }).getBuckets();
    assert.ok(buckets.some(({ name }) => name === BUCKET));
  });
}
