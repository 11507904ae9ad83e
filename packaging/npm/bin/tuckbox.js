#!/usr/bin/env node
import { initScripts } from '../lib/init-scripts.js'
import { run } from '../lib/run.js'

const [command, ...rest] = process.argv.slice(2)
if (command === 'init-scripts') {
  process.exitCode = initScripts(process.cwd(), rest, text => process.stdout.write(`${text}\n`))
} else {
  await run(process.argv.slice(2))
}
