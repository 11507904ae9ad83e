/**
 * Makes the package of this platform from a built program: `node pack-platform.mjs target/release/tuckbox OUT`. Then
 * `npm pack OUT/tuckbox-linux-x64` makes the file to publish or to install.
 */

import { chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const [program, out] = process.argv.slice(2)
if (!program || !out) {
  console.error('usage: node pack-platform.mjs PROGRAM FOLDER')
  process.exit(2)
}
const launcher = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'))
const name = `tuckbox-${process.platform}-${process.arch}`
const folder = join(out, name)
mkdirSync(join(folder, 'bin'), { recursive: true })
copyFileSync(program, join(folder, 'bin/tuckbox'))
chmodSync(join(folder, 'bin/tuckbox'), 0o755)
const about = {
  name,
  version: launcher.version,
  description: `The program of the package tuckbox for ${process.platform} on ${process.arch}`,
  license: launcher.license,
  os: [process.platform],
  cpu: [process.arch],
  files: ['bin'],
}
writeFileSync(join(folder, 'package.json'), `${JSON.stringify(about, null, 2)}\n`)
console.log(folder)
