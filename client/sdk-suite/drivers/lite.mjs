/** `firebase/firestore/lite`: REST only. */

import { deleteApp, initializeApp } from 'firebase/app'
import * as sdk from 'firebase/firestore/lite'
import { common } from './modular.mjs'

let apps = 0

export function liteDriver({ name, host, port }) {
  const open = () => {
    const app = initializeApp({ projectId: 'demo-suite', apiKey: 'key' }, `${name}-${++apps}`)
    const db = sdk.initializeFirestore(app, {})
    sdk.connectFirestoreEmulator(db, host, port)
    const close = async () => {
      await sdk.terminate(db)
      await deleteApp(app)
    }
    return { ...common(sdk, db), name, can: new Set(['modular']), another: open, close }
  }
  return open()
}
