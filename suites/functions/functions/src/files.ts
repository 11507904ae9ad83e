/** Functions that files call. */

import {
  onObjectArchived,
  onObjectDeleted,
  onObjectFinalized,
  onObjectMetadataUpdated,
} from 'firebase-functions/v2/storage';
import { log } from './log';

export const file = onObjectFinalized(({ data }) =>
  log('file', { id: data.name, size: Number(data.size), type: data.contentType, bucket: data.bucket }),
);

export const gone = onObjectDeleted(({ data }) => log('gone', { id: data.name }));

export const archived = onObjectArchived(({ data }) => log('archived', { id: data.name }));

export const relabelled = onObjectMetadataUpdated(({ data }) =>
  log('relabelled', { id: data.name, metadata: data.metadata ?? null }),
);
