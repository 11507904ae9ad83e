// The files of a release, made of the built server: `node --test packaging/test/*.test.mjs`. TUCKBOX_BIN names another one.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { ROOT, startTuckbox, TUCKBOX } from '../../suites/shared/program.mjs';
import { dashboard } from '../monitoring/dashboard.mjs';

const text = (file) => readFileSync(path.join(ROOT, file), 'utf8');
const has = (program) => {
  try {
    execFileSync('sh', ['-c', `command -v ${program}`]);
    return true;
  } catch {
    return false;
  }
};

let folder;
before(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'tuckbox-packages-'));
});
after(() => rmSync(folder, { recursive: true, force: true }));

const VERSION = /^version = "(.+)"$/m.exec(text('Cargo.toml'))[1];

test('every part has one version', () => {
  for (const file of ['client/package.json', 'suites/package.json', 'packaging/npm/package.json'])
    assert.equal(JSON.parse(text(file)).version, VERSION, file);
  const { optionalDependencies } = JSON.parse(text('packaging/npm/package.json'));
  for (const [name, version] of Object.entries(optionalDependencies)) assert.equal(version, VERSION, name);
  assert.match(text('packaging/compose/compose.yaml'), new RegExp(`TUCKBOX_VERSION:-${VERSION}`));
  assert.match(text('packaging/compose/env.example'), new RegExp(`TUCKBOX_VERSION=${VERSION}`));
  assert.match(text('CHANGELOG.md'), new RegExp(`^## ${VERSION} `, 'm'));
});

test('the version names commit and formats', () => {
  const [version, commit, formats] = execFileSync(TUCKBOX, ['--version'], { encoding: 'utf8' }).split('\n');
  assert.equal(version, `tuckbox ${VERSION}`);
  assert.match(commit, /^commit ([0-9a-f]{7,40}|unknown)$/);
  assert.match(formats, /^data folder version \d+, schema version \d+$/);
  assert.equal(execFileSync(TUCKBOX, ['-V'], { encoding: 'utf8' }), `tuckbox ${VERSION}\n`);
});

test('the Debian package is reproducible and whole', { skip: !has('dpkg-deb') || !has('objdump') }, () => {
  const build = (name) =>
    execFileSync(path.join(ROOT, 'packaging/deb/build'), [TUCKBOX, path.join(folder, name)], {
      encoding: 'utf8',
      env: { ...process.env, SOURCE_DATE_EPOCH: '1700000000', DEB_COMPRESSION: 'none' },
    }).trim();
  const files = [build('one'), build('two')];
  const [one, two] = files.map((file) => createHash('sha256').update(readFileSync(file)).digest('hex'));
  assert.equal(one, two);
  const deb = (...args) => execFileSync('dpkg-deb', args, { encoding: 'utf8' });
  assert.equal(deb('--field', files[0], 'Version').trim(), VERSION);
  assert.match(deb('--field', files[0], 'Depends'), /libc6 \(>= 2\.\d+\)/);
  const tree = path.join(folder, 'tree');
  deb('--extract', files[0], tree);
  deb('--control', files[0], path.join(folder, 'control'));
  assert.equal(execFileSync(path.join(tree, 'usr/bin/tuckbox'), ['-V'], { encoding: 'utf8' }), `tuckbox ${VERSION}\n`);
  const listed = deb('--contents', files[0]);
  for (const line of listed.trim().split('\n')) {
    assert.match(line, / root\/root /, 'all belongs to root');
    assert.doesNotMatch(line.slice(0, 10), /^.{5}w|^.{8}w/, `nobody else writes: ${line}`);
  }
  for (const script of ['postinst', 'prerm', 'postrm'])
    execFileSync('sh', ['-n', path.join(folder, 'control', script)]);
  const configuration = readFileSync(path.join(folder, 'control/conffiles'), 'utf8').trim().split('\n');
  for (const file of configuration) assert.ok(readFileSync(path.join(tree, file)), file);
});

test('the unit, the image and the composition use options and variables that there are', () => {
  const help = execFileSync(TUCKBOX, ['serve', '--help'], { encoding: 'utf8' });
  const settings = text('docs/configuration.md');
  const files = ['systemd/tuckbox.service', 'container/Containerfile', 'compose/compose.yaml', 'deb/default'];
  for (const file of files) {
    const content = text(`packaging/${file}`);
    const served = content.split('\n').filter((line) => /serve|^\s+- --|TUCKBOX_OPTIONS=/.test(line));
    for (const [option] of served.join('\n').matchAll(/--[a-z][a-z-]+/g))
      assert.ok(help.includes(`${option} `), `${file}: ${option}`);
    for (const [name] of content.matchAll(/\bTUCKBOX_[A-Z_]+/g))
      assert.ok(
        ['TUCKBOX_OPTIONS', 'TUCKBOX_VERSION'].includes(name) || settings.includes(`\`${name}\``),
        `${file}: ${name}`,
      );
  }
});

test('the dashboard and the alerts ask for metrics that there are', async () => {
  const server = await startTuckbox(['serve', '--in-memory', '--mode', 'emulator', '--port', '0'], { cwd: folder });
  const stored = await startTuckbox(
    ['serve', '--data', path.join(folder, 'data'), '--mode', 'emulator', '--port', '0'],
    { cwd: folder },
  );
  try {
    await fetch(server.origin);
    execFileSync(TUCKBOX, ['backup', path.join(folder, 'backup'), '--data', path.join(folder, 'data')], { cwd: folder });
    const pages = [server, stored].map(async ({ origin }) => (await fetch(`${origin}/metrics`)).text());
    const metrics = (await Promise.all(pages)).join('\n');
    const named = new Set(metrics.match(/^tuckbox_[a-z_]+/gm));
    const asked = [JSON.stringify(dashboard), text('packaging/monitoring/alerts.yaml')].join('\n');
    const names = new Set([...asked.matchAll(/\btuckbox_[a-z_]+/g)].map(([name]) => name));
    assert.ok(names.size > 15);
    for (const name of names) assert.ok(named.has(name), `${name} is no metric`);
  } finally {
    await Promise.all([server.stop(), stored.stop()]);
  }
});

test('the file of the dashboard is the dashboard', () => {
  assert.deepEqual(JSON.parse(text('packaging/monitoring/grafana-dashboard.json')), dashboard);
});

test('the proxy of the composition has a valid configuration', { skip: !has('caddy') }, () => {
  execFileSync(
    'caddy',
    ['validate', '--adapter', 'caddyfile', '--config', path.join(ROOT, 'packaging/compose/Caddyfile')],
    { env: { ...process.env, DOMAIN: 'cards.example', HOME: folder }, stdio: 'ignore' },
  );
});
