/**
 * Describes a functions source whose firebase-functions is older than 6.4, which cannot write its description to a
 * file: `describe.mjs PROGRAM SOURCE FILE`. PROGRAM is the real path of its command. The steps are those of the newer
 * command; these releases are final, so the places of the two modules do not change.
 */

import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const [program, source, file] = process.argv.slice(2)
const require = createRequire(program)
try {
  const { loadStack } = require('../runtime/loader.js')
  const { stackToWire } = require('../runtime/manifest.js')
  writeFileSync(file, JSON.stringify(stackToWire(await loadStack(source))))
  process.exit(0)
} catch (error) {
  console.error(error?.stack ?? error)
  process.exit(1)
}
