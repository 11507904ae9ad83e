/**
 * Public projects whose tests use the emulators. Each is run as its own README or workflow says; only the program called
 * `firebase` is another. `folder` is the checkout's folder, as `git clone` names it.
 */

import { generateKeyPairSync } from 'node:crypto';

/**
 * @typedef {object} Project
 * @property {string} repository its repository on GitHub, or its source package on PyPI
 * @property {string} [at] the folder of the tests in the checkout
 * @property {Array<[string, string]>} [install] folders of the checkout and the commands that install their packages
 * @property {string} [build] what its own instructions run before the tests
 * @property {string} test its tests, as its own instructions start them
 * @property {Record<string, string>} [env] variables that its own instructions set
 * @property {string[]} [lacking] products of the official suite that its tests use and that Tuckbox leaves out
 */

const YARN = 'yarn install --frozen-lockfile';

/** A key of nobody: firebase-admin reads it, and no emulator asks for it. */
const ANY_KEY = () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return Buffer.from(privateKey.export({ type: 'pkcs8', format: 'pem' })).toString('base64');
};

/** @type {Record<string, Project>} */
export const PROJECTS = {
  vuefire: {
    repository: 'vuejs/vuefire',
    install: [['.', 'pnpm install --frozen-lockfile']],
    test: "firebase emulators:exec 'pnpm run test:unit'",
    lacking: ['Realtime Database'],
  },
  reactfire: {
    repository: 'FirebaseExtended/reactfire',
    install: [
      ['.', 'npm ci'],
      ['functions', 'npm install'],
    ],
    test: 'npm run test',
    lacking: ['Realtime Database'],
  },
  rxfire: {
    repository: 'FirebaseExtended/rxfire',
    install: [
      ['.', YARN],
      ['test/functions', YARN],
    ],
    build: './build.sh',
    test: 'yarn test',
    lacking: ['Realtime Database'],
  },
  'react-firebase-hooks': {
    repository: 'CSFrequency/react-firebase-hooks',
    install: [['.', 'npm install']],
    test: 'npm run test:ci',
  },
  'react-redux-firebase': {
    repository: 'prescottprue/react-redux-firebase',
    install: [['.', 'npm ci']],
    test: 'npm test',
    lacking: ['Realtime Database'],
  },
  'geofirestore-js': {
    repository: 'MichaelSolati/geofirestore-js',
    install: [['.', 'npm install --ignore-scripts']],
    test: 'npm run test',
  },
  fireorm: {
    repository: 'wovalle/fireorm',
    install: [['.', YARN]],
    test: "firebase emulators:exec --only firestore --project demo-fireorm 'npm run test:integration'",
    env: {
      FIRESTORE_PROJECT_ID: 'demo-fireorm',
      FIREBASE_DATABASE_URL: 'https://demo-fireorm.firebaseio.com',
      FIRESTORE_CLIENT_EMAIL: 'tests@demo-fireorm.iam.gserviceaccount.com',
      FIRESTORE_PRIVATE_KEY_BASE_64: ANY_KEY(),
    },
  },
  typesaurus: {
    repository: 'kossnocorp/typesaurus',
    install: [['.', 'npm ci --ignore-scripts']],
    test: 'make test-node',
    env: { GCLOUD_PROJECT: 'demo-typesaurus' },
  },
  fireway: {
    repository: 'kevlened/fireway',
    install: [['.', YARN]],
    test: 'npm test',
  },
  'react-admin-firebase': {
    repository: 'benwinding/react-admin-firebase',
    install: [['.', YARN]],
    test: 'npm test',
  },
  'firebase-functions-test': {
    repository: 'firebase/firebase-functions-test',
    install: [['.', 'npm ci']],
    test: 'npm run integrationTest',
  },
  'snippets-node': {
    repository: 'firebase/snippets-node',
    at: 'firestore/main',
    install: [['.', 'pnpm install --ignore-scripts']],
    test: 'npm run test',
    env: { GCLOUD_PROJECT: 'firestore-snippets' },
  },
  'snippets-rules': {
    repository: 'firebase/snippets-rules',
    install: [['.', 'npm install']],
    build: 'npm run build',
    test: 'npx firebase --project=firestore-snippets emulators:exec --only firestore "npm run test"',
  },
  'quickstart-testing': {
    repository: 'firebase/quickstart-testing',
    install: [['.', 'npm install']],
    test: "npx firebase --project=fakeproject emulators:exec 'npm run test'",
    lacking: ['Realtime Database'],
  },
  'emulators-codelab': {
    repository: 'firebase/emulators-codelab',
    at: 'codelab-final-state/functions',
    install: [['codelab-final-state/functions', 'npm install']],
    test: "firebase emulators:exec --project example 'npm test'",
    env: { GCLOUD_PROJECT: 'example' },
  },
  google_cloud_firestore: {
    repository: 'google-cloud-firestore==2.34.1 on PyPI',
    install: [
      [
        '.',
        'python3 -m venv .venv && .venv/bin/pip install . google-cloud-testutils mock pyyaml pytest==7.4.4 pytest-asyncio==0.21.2 pytest-subtests',
      ],
    ],
    test: "firebase emulators:exec --only firestore --project demo-python '.venv/bin/python -m pytest -q tests/system/test_system.py; .venv/bin/python -m pytest -q tests/system/test_system_async.py'",
    env: { GCLOUD_PROJECT: 'demo-python' },
    lacking: ['BSON types'],
  },
};
