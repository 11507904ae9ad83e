import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A `firebase` command that starts emulators or moves their data; other commands reach the cloud. */
const COMMAND = /(^|[\s;&|("'])(npx\s+(?:-y\s+|--yes\s+)?)?(?:firebase|firebase-tools(?:@[\w.^~-]+)?)(?=\s+emulators:(?:start|exec|export)\b)/g

/**
 * A script with `tuckbox` in place of `firebase` where it starts emulators.
 *
 * @param {string} script
 */
export function rewritten(script) {
  return script.replace(COMMAND, (_, before, npx) => `${before}${npx ?? ''}tuckbox`)
}

/**
 * Shows the changed scripts of the `package.json` in `folder`, and writes them with `--write`. Returns the exit code.
 *
 * @param {string} folder
 * @param {string[]} args
 * @param {(text: string) => void} say
 */
export function initScripts(folder, args, say) {
  const unknown = args.find(arg => arg !== '--write')
  if (unknown !== undefined) {
    say(`init-scripts knows --write alone, not ${unknown}`)
    return 2
  }
  const file = join(folder, 'package.json')
  let text
  let scripts
  try {
    text = readFileSync(file, 'utf8')
    scripts = JSON.parse(text).scripts ?? {}
  } catch (error) {
    say(`cannot read ${file}: ${error.message}`)
    return 1
  }
  const changed = Object.entries(scripts).filter(([, script]) => rewritten(script) !== script)
  if (changed.length === 0) {
    say('No script starts the Firebase emulators: nothing to change.')
    return 0
  }
  for (const [name, script] of changed) {
    say(`  ${name}\n- ${script}\n+ ${rewritten(script)}`)
    // The rest of the file keeps its form.
    text = text.replaceAll(JSON.stringify(script), () => JSON.stringify(rewritten(script)))
  }
  if (!args.includes('--write')) {
    say(`\nNothing is written yet: tuckbox init-scripts --write changes ${file}.`)
    return 0
  }
  writeFileSync(file, text)
  say(`\n${file} is changed.`)
  return 0
}
