/**
 * Sends this worker's credential to the server. Admin SDKs configured for an emulator send `Bearer owner`, or nothing
 * for files; in serving mode the server accepts neither. The worker's own credential replaces them, in requests to the
 * services named by the environment and to no other host.
 */

import http from 'node:http'
import http2 from 'node:http2'
import { syncBuiltinESMExports } from 'node:module'

/** The token Admin SDKs send to an emulator. */
const OWNER = /^bearer owner$/i
/** Paths of administrators' APIs, which SDKs call on an emulator without any credential. */
const ADMIN_PATHS = /^\/(?:storage\/v1|upload\/storage\/v1|download\/storage\/v1|b)\//
/** Variables that hold the services' addresses. */
const SERVICES = [
  'FIRESTORE_EMULATOR_HOST',
  'STORAGE_EMULATOR_HOST',
  'PUBSUB_EMULATOR_HOST',
  'CLOUD_EVENTARC_EMULATOR_HOST',
  'CLOUD_TASKS_EMULATOR_HOST',
]

/** Adds `Bearer credential` to all requests to the services from now on. */
export function present(credential) {
  const bearer = `Bearer ${credential}`
  const own = new Set()
  for (const name of SERVICES) {
    const value = process.env[name]
    if (value !== undefined) own.add(value.replace(/^https?:\/\//, ''))
  }
  /** True if a request whose authorization is `said` gets the credential. */
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
