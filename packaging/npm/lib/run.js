import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { constants } from 'node:os'

/** Signals that the program decides about itself. */
const PASSED_ON = ['SIGINT', 'SIGTERM', 'SIGHUP']

/**
 * Path of the program: `TUCKBOX_BINARY`, else the one in the package of this platform.
 *
 * @param {NodeJS.ProcessEnv} env
 * @param {(name: string) => string} resolve resolves a file of a package
 * @returns {string}
 */
export function binary(env, resolve, platform = process.platform, arch = process.arch) {
  const named = env.TUCKBOX_BINARY
  if (named) {
    if (!existsSync(named)) throw new Error(`TUCKBOX_BINARY names ${named}, which does not exist`)
    return named
  }
  const name = `tuckbox-${platform}-${arch}`
  try {
    return resolve(`${name}/bin/tuckbox`)
  } catch {
    throw new Error(
      `there is no program for ${platform} on ${arch}: install the package ${name} (npm leaves it out with --no-optional), or set TUCKBOX_BINARY to a tuckbox that you built`,
    )
  }
}

/**
 * Runs the program with these arguments and ends as it does.
 *
 * @param {string[]} args
 */
export async function run(args) {
  let program
  try {
    program = binary(process.env, createRequire(import.meta.url).resolve)
  } catch (error) {
    process.stderr.write(`tuckbox: ${error.message}\n`)
    process.exitCode = 1
    return
  }
  const child = spawn(program, args, { stdio: 'inherit' })
  // A terminal sends Ctrl-C to both; this process waits for the other.
  for (const signal of PASSED_ON) process.on(signal, () => signal !== 'SIGINT' && child.kill(signal))
  await new Promise(done => {
    child.on('error', error => {
      process.stderr.write(`tuckbox: cannot run ${program}: ${error.message}\n`)
      process.exitCode = 127
      done()
    })
    child.on('exit', (code, signal) => {
      process.exitCode = code ?? 128 + (constants.signals[signal] ?? 0)
      done()
    })
  })
}
