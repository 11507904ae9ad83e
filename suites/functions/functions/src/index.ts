/** A functions source as its documentation would have it: every kind of trigger, both generations. */

import { initializeApp } from 'firebase-admin/app';

initializeApp();

export * from './accounts';
export * from './calls';
export * from './documents';
export * from './files';
export * from './first-generation';
export * from './messages';
export * from './settings';
export * from './tasks';
export * from './unruly';
export * from './web';
