import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { initScripts, rewritten } from '../lib/init-scripts.js'
import { binary } from '../lib/run.js'

const LAUNCHER = fileURLToPath(new URL('../bin/tuckbox.js', import.meta.url))

function folder(t) {
  const path = mkdtempSync(join(tmpdir(), 'tuckbox-npm-'))
  t.after(() => rmSync(path, { recursive: true }))
  return path
}

test('only commands of the emulators are rewritten', () => {
  const rows = [
    ['firebase emulators:start', 'tuckbox emulators:start'],
    ['firebase emulators:exec --only auth "jest"', 'tuckbox emulators:exec --only auth "jest"'],
    ['npx firebase-tools@14 emulators:exec x', 'npx tuckbox emulators:exec x'],
    ['npm run build && npx -y firebase emulators:start', 'npm run build && npx -y tuckbox emulators:start'],
    ['concurrently "firebase emulators:start" "vite"', 'concurrently "tuckbox emulators:start" "vite"'],
    ['firebase deploy --only functions', 'firebase deploy --only functions'],
    ['my-firebase emulators:start', 'my-firebase emulators:start'],
    ['firebase functions:shell', 'firebase functions:shell'],
  ]
  for (const [before, after] of rows) assert.equal(rewritten(before), after)
})

test('scripts are shown first and written when asked, and the rest of the file stays', t => {
  const at = folder(t)
  const file = join(at, 'package.json')
  const text = '{\n    "scripts": {"test": "firebase emulators:exec \\"jest\\"", "deploy": "firebase deploy"},\n    "x": 1\n}'
  writeFileSync(file, text)
  const said = []
  assert.equal(initScripts(at, [], line => said.push(line)), 0)
  assert.match(said.join('\n'), /- firebase emulators:exec "jest"\n\+ tuckbox emulators:exec "jest"/)
  assert.equal(readFileSync(file, 'utf8'), text)
  assert.equal(initScripts(at, ['--write'], () => {}), 0)
  assert.equal(readFileSync(file, 'utf8'), text.replace('firebase emulators', 'tuckbox emulators'))
  assert.equal(initScripts(at, ['--force'], () => {}), 2)
  assert.equal(initScripts(join(at, 'none'), [], () => {}), 1)
})

test('the program is the named one, or that of the platform', () => {
  const none = () => {
    throw new Error('not found')
  }
  assert.equal(binary({}, name => `/modules/${name}`, 'linux', 'x64'), '/modules/tuckbox-linux-x64/bin/tuckbox')
  assert.throws(() => binary({}, none, 'sunos', 'x64'), /tuckbox-sunos-x64.*TUCKBOX_BINARY/)
  assert.throws(() => binary({ TUCKBOX_BINARY: '/no/such/file' }, none), /does not exist/)
})

test('arguments, exit codes and signals are passed on', t => {
  const program = join(folder(t), 'program')
  writeFileSync(program, '#!/bin/sh\necho "$@"\n[ "$1" = die ] && kill -9 $$\nexit 42\n')
  chmodSync(program, 0o755)
  const run = args => spawnSync(process.execPath, [LAUNCHER, ...args], { env: { ...process.env, TUCKBOX_BINARY: program } })
  const ended = run(['exec', '--', 'a b'])
  assert.deepEqual([ended.status, ended.stdout.toString()], [42, 'exec -- a b\n'])
  assert.equal(run(['die']).status, 137)
})
