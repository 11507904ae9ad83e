import { type CollectionReference, collection, type DocumentReference } from '@sdk/firestore';

/** Former states of a layout. */
export const versionsOf = (layout: DocumentReference): CollectionReference => collection(layout, 'versions');
