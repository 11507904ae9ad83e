/** Proto3 JSON of the wire: what the server sends and takes. */
export type WireValue =
  | { nullValue: null }
  | { booleanValue: boolean }
  | { integerValue: string | number }
  | { doubleValue: number | string }
  | { timestampValue: string }
  | { stringValue: string }
  | { bytesValue: string }
  | { referenceValue: string }
  | { geoPointValue: { latitude?: number; longitude?: number } }
  | { arrayValue: { values?: WireValue[] } }
  | { mapValue: { fields?: WireFields } };

export type WireFields = Record<string, WireValue>;

export interface WireDocument {
  name: string;
  fields?: WireFields;
  createTime?: string;
  updateTime?: string;
}

export interface WirePrecondition {
  exists?: boolean;
  updateTime?: string;
}

export interface WireTransform {
  fieldPath: string;
  setToServerValue?: 'REQUEST_TIME';
  increment?: WireValue;
  appendMissingElements?: { values: WireValue[] };
  removeAllFromArray?: { values: WireValue[] };
}

export interface WireWrite {
  update?: { name: string; fields: WireFields };
  updateMask?: { fieldPaths: string[] };
  updateTransforms?: WireTransform[];
  delete?: string;
  verify?: string;
  currentDocument?: WirePrecondition;
}

export type WireFilter =
  | { fieldFilter: { field: { fieldPath: string }; op: string; value: WireValue } }
  | { unaryFilter: { field: { fieldPath: string }; op: string } }
  | { compositeFilter: { op: 'AND' | 'OR'; filters: WireFilter[] } };

export interface WireOrder {
  field: { fieldPath: string };
  direction: 'ASCENDING' | 'DESCENDING';
}

export interface WireCursor {
  values: WireValue[];
  before: boolean;
}

export interface WireQuery {
  from: { collectionId: string; allDescendants?: boolean }[];
  where?: WireFilter;
  orderBy?: WireOrder[];
  startAt?: WireCursor;
  endAt?: WireCursor;
  limit?: number;
}

export interface WireTargetChange {
  targetChangeType?: 'NO_CHANGE' | 'ADD' | 'REMOVE' | 'CURRENT' | 'RESET';
  targetIds?: number[];
  cause?: { code?: number; message?: string };
  resumeToken?: string;
  readTime?: string;
}

export interface WireListenResponse {
  targetChange?: WireTargetChange;
  documentChange?: { document: WireDocument; targetIds?: number[]; removedTargetIds?: number[] };
  documentDelete?: { document: string; removedTargetIds?: number[]; readTime?: string };
  documentRemove?: { document: string; removedTargetIds?: number[]; readTime?: string };
  filter?: { targetId: number; count?: number };
  error?: { code?: number; message?: string; status?: string };
}

export interface WireAddTarget {
  targetId: number;
  query?: { parent: string; structuredQuery: WireQuery };
  documents?: { documents: string[] };
  resumeToken?: string;
  expectedCount?: number;
}
