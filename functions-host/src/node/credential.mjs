/**
 * Shows this server who asks. Admin SDKs that are told of an emulator say `Bearer owner`, or nothing where they use files;
 * in serving mode the server takes neither. To the services that the environment names, and to nobody else, the worker's
 * own credential goes in their place.
 */

import http from 'node:http'
import http2 from 'node:http2'
import { syncBuiltinESMExports } from 'node:module'

/** What Admin SDKs say to an emulator. */
const OWNER = /^bearer owner$/i
/** Paths of APIs that administrators alone use, which their SDKs ask an emulator for without any credential. */
const ADMIN_PATHS = /^\/(?:storage\/v1|upload\/storage\/v1|download\/storage\/v1|b)\//
/** The variables that name the services. */
const SERVICES = [
  'FIRESTORE_EMULATOR_HOST',
  'STORAGE_EMULATOR_HOST',
  'PUBSUB_EMULATOR_HOST',
  'CLOUD_EVENTARC_EMULATOR_HOST',
  'CLOUD_TASKS_EMULATOR_HOST',
]

/** Puts `Bearer credential` into requests to the services from now on. */
export function present(credential) {
  const bearer = `Bearer ${credential}`
  const own = new Set()
  for (const name of SERVICES) {
    const value = process.env[name]
    if (value !== undefined) own.add(value.replace(/^https?:\/\//, ''))
  }
  /** Whether a request that carries `said` gets the credential. */
  const needs = (said, path) => (said === undefined ? ADMIN_PATHS.test(path) : OWNER.test(String(said)))

  const { connect } = http2
  http2.connect = (authority, ...rest) => {
    const session = connect(authority, ...rest)
    if (!own.has(new URL(String(authority)).host)) return session
    const request = session.request.bind(session)
    session.request = (headers, ...more) => {
      const shown = needs(headers?.authorization, '') ? { ...headers, authorization: bearer } : headers
      return request(shown, ...more)
    }
    return session
  }

  const { request } = http
  http.request = (...given) => {
    const made = request(...given)
    if (own.has(String(made.getHeader('host'))) && needs(made.getHeader('authorization'), made.path)) {
      made.setHeader('authorization', bearer)
    }
    return made
  }
  http.get = (...given) => http.request(...given).end()

  const { fetch } = globalThis
  globalThis.fetch = (input, init) => {
    const made = new Request(input, init)
    const { host, pathname } = new URL(made.url)
    if (own.has(host) && needs(made.headers.get('authorization') ?? undefined, pathname)) {
      made.headers.set('authorization', bearer)
    }
    return fetch(made)
  }
  syncBuiltinESMExports()
}
