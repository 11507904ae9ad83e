import { type CollectionReference, collection, type DocumentReference } from '@sdk/firestore';

/** Most versions kept of a layout; the oldest that nobody has named go. */
export const MAX_VERSIONS = 60;

/** Former states of a layout. */
export const versionsOf = (layout: DocumentReference): CollectionReference => collection(layout, 'versions');
