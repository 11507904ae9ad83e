/**
 * The program inside a Node worker: loads the user's functions source and serves its functions over a unix socket.
 *
 * Protocol with the host:
 * - The control socket is connected once the source is loaded. Each heartbeat on it shows that the event loop runs; when
 *   the host ends, in whatever way, the connection closes and this process exits.
 * - A request with `x-tuckbox-claim` runs only after the host has answered its claim, `claim N` on the control socket, with
 *   `go N`. `no N` means that another worker has it, because this one's event loop was late.
 * - `x-tuckbox-target` names the entry point; the rest of the request is the user's, unchanged. The host removes every
 *   `x-tuckbox-` header sent by a caller.
 * - Each line printed by a function is preceded by its entry point, between U+001E and U+001F.
 * - A request with `x-tuckbox-signature` is a background event: `{data, context}` for `event`, the CloudEvent itself for
 *   `cloudevent`. Its failure is reported in full, because only the host receives it.
 */

import { AsyncLocalStorage } from 'node:async_hooks'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { connect } from 'node:net'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { present } from './credential.mjs'

/** Interval of the watchdog's checks on the host, in milliseconds. */
const WATCH_MS = 500
/** Interval of heartbeats to the host, in milliseconds. */
const BEAT_MS = 250
/** Largest request body, as in the cloud's second generation. */
const BODY_LIMIT = '32mb'
/** Longest reason of a failed event, in characters. */
const REASON_LIMIT = 8_000
const CLAIM_HEADER = 'x-tuckbox-claim'
const TARGET_HEADER = 'x-tuckbox-target'
const SIGNATURE_HEADER = 'x-tuckbox-signature'

const take = name => {
  const value = process.env[name]
  delete process.env[name]
  return value
}
const source = take('TUCKBOX_FUNCTIONS_SOURCE')
const socketPath = take('TUCKBOX_FUNCTIONS_SOCKET')
const controlPath = take('TUCKBOX_FUNCTIONS_CONTROL')

const host = Number(take('TUCKBOX_FUNCTIONS_HOST'))

/**
 * A blocked event loop cannot notice that the control socket closed. This thread has a loop of its own and ends the
 * process when the host is gone. `node` may be a program that starts Node, so the host need not be the parent process,
 * and its process id may mean nothing here.
 */
const WATCHDOG = `
  const { workerData: { host, parent, every } } = require('node:worker_threads')
  const lives = id => {
    try {
      return process.kill(id, 0)
    } catch (error) {
      return error.code === 'EPERM'
    }
  }
  const known = lives(host)
  const orphaned = () => process.ppid !== parent || (known ? !lives(host) : parent === 1)
  const look = () => {
    if (orphaned()) process.kill(process.pid, 'SIGKILL')
  }
  look()
  setInterval(look, every)
`
new Worker(WATCHDOG, {
  eval: true,
  workerData: { host, parent: process.ppid, every: WATCH_MS },
  env: {},
  execArgv: [],
  resourceLimits: { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 2, stackSizeMb: 1 },
}).unref()

const credential = take('TUCKBOX_FUNCTIONS_CREDENTIAL')
if (credential !== undefined) present(credential)

/** Entry point of the running call, for the lines it prints. */
const running = new AsyncLocalStorage()
for (const stream of [process.stdout, process.stderr]) {
  const write = stream.write.bind(stream)
  let atStart = true
  stream.write = (chunk, ...rest) => {
    const name = running.getStore()
    const begins = atStart
    const text = typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString()
    if (text !== '') atStart = text.endsWith('\n')
    if (name === undefined || text === '') return write(chunk, ...rest)
    const mark = `\u001e${name}\u001f`
    return write((begins ? mark : '') + text.replace(/\n(?!$)/g, `\n${mark}`), ...rest)
  }
}

async function load() {
  const manifest = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'))
  const entry = resolve(source, manifest.main ?? 'index.js')
  const require = createRequire(entry)
  try {
    return { require, module: require(entry) }
  } catch (error) {
    if (error.code !== 'ERR_REQUIRE_ESM' && error.code !== 'ERR_REQUIRE_ASYNC_MODULE') throw error
    return { require, module: await import(pathToFileURL(entry).href) }
  }
}

/** The exported function for a dotted entry point such as `group.inner`. */
function find(module, target) {
  const found = target.split('.').reduce((node, name) => node?.[name], module)
  return typeof found === 'function' ? found : undefined
}

const { require, module } = await load()
const express = createRequire(require.resolve('firebase-functions'))('express')

const app = express()
app.disable('x-powered-by')
app.enable('trust proxy')
const keep = {
  limit: BODY_LIMIT,
  verify: (request, _response, body) => {
    request.rawBody = body
  },
}
app.use(express.json({ ...keep, type: ['application/json', 'application/cloudevents+json'] }))
app.use(express.text({ ...keep, type: 'text/*' }))
app.use(express.urlencoded({ ...keep, extended: true }))
app.use(express.raw({ ...keep, type: () => true }))

const invoke = {
  async event(handler, request, response) {
    await handler(request.body.data, request.body.context)
    response.status(204).end()
  },
  async cloudevent(handler, request, response) {
    const { data_base64: bytes, ...event } = request.body
    await handler(bytes === undefined ? event : { ...event, data: Buffer.from(bytes, 'base64') })
    response.status(204).end()
  },
  async http(handler, request, response) {
    await handler(request, response)
  },
}

app.use(async (request, response, next) => {
  const { [TARGET_HEADER]: target, [SIGNATURE_HEADER]: signature = 'http' } = request.headers
  delete request.headers[TARGET_HEADER]
  delete request.headers[SIGNATURE_HEADER]
  const handler = typeof target === 'string' ? find(module, target) : undefined
  if (!handler) {
    response.status(404).send('There is no such function.')
    return
  }
  try {
    await running.run(target, () => invoke[signature](handler, request, response))
  } catch (error) {
    if (signature === 'http') running.run(target, () => next(error))
    else {
      running.run(target, () => console.error(error))
      response.status(500).send(String(error?.stack ?? error).slice(0, REASON_LIMIT))
    }
  }
})

// The stack goes to the log; the caller learns only that the call failed.
app.use((error, _request, response, _next) => {
  console.error(error)
  if (response.headersSent) response.destroy()
  else response.status(error.status ?? 500).send(error.expose ? error.message : 'Internal Server Error')
})

/** Requests whose claims the host has not answered yet, by number. */
const claims = new Map()
let control

const server = createServer((request, response) => {
  const { [CLAIM_HEADER]: number } = request.headers
  if (number === undefined) {
    app(request, response)
    return
  }
  delete request.headers[CLAIM_HEADER]
  claims.set(number, granted => {
    if (granted) app(request, response)
    else request.destroy()
  })
  control.write(`claim ${number}\n`)
})
// The host reuses connections: one closed as idle at the wrong moment would lose a request.
server.keepAliveTimeout = 0
server.requestTimeout = 0
server.listen(socketPath, () => {
  control = connect(controlPath, () => {
    control.write('ready\n')
    setInterval(() => control.write('beat\n'), BEAT_MS).unref()
  })
  control.on('error', () => process.exit(1))
  control.on('close', () => process.exit(0))
  createInterface({ input: control }).on('line', line => {
    const [answer, number] = line.split(' ')
    claims.get(number)?.(answer === 'go')
    claims.delete(number)
  })
})
