/** Shared parts of the drivers for `firebase/firestore` and `firebase/firestore/lite`. */

/** Capabilities of both. */
export const MODULAR = ['modular', 'optimistic', 'aggregates', 'or', 'limitToLast', 'converters', 'cursors'];

export function common(sdk, db) {
  // The cases provoke failures; what the SDK logs of them helps nobody.
  sdk.setLogLevel?.('silent');
  const doc = (path) => sdk.doc(db, path);

  /** A query from `{ collection | group, where, or, orderBy, limit, limitToLast, startAt, … }`. */
  function build(spec) {
    const from = spec.group ? sdk.collectionGroup(db, spec.group) : sdk.collection(db, spec.collection);
    const parts = (spec.where ?? []).map(([field, op, value]) => sdk.where(fieldOf(field), op, value));
    const or = (spec.or ?? []).map(([field, op, value]) => sdk.where(fieldOf(field), op, value));
    const rest = [];
    for (const [field, direction] of spec.orderBy ?? []) rest.push(sdk.orderBy(fieldOf(field), direction));
    if (spec.limit !== undefined) rest.push(sdk.limit(spec.limit));
    if (spec.limitToLast !== undefined) rest.push(sdk.limitToLast(spec.limitToLast));
    for (const bound of ['startAt', 'startAfter', 'endAt', 'endBefore']) {
      if (spec[bound]) rest.push(sdk[bound](...spec[bound]));
    }
    if (or.length) return sdk.query(from, sdk.and(...parts, sdk.or(...or)), ...rest);
    return sdk.query(from, ...parts, ...rest);
  }

  const fieldOf = (field) => (field === '__name__' ? sdk.documentId() : field);

  /** SDK objects as plain data that can be compared. */
  function plain(value) {
    if (value instanceof sdk.Timestamp) return { $time: [value.seconds, value.nanoseconds] };
    if (value instanceof sdk.GeoPoint) return { $geo: [value.latitude, value.longitude] };
    if (value instanceof sdk.Bytes) return { $bytes: [...value.toUint8Array()] };
    if (value instanceof sdk.DocumentReference) return { $ref: value.path };
    if (sdk.VectorValue && value instanceof sdk.VectorValue) return { $vector: value.toArray() };
    if (Array.isArray(value)) return value.map(plain);
    if (value && typeof value === 'object') {
      return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, plain(part)]));
    }
    return value;
  }

  const getDocs = sdk.getDocsFromServer ?? sdk.getDocs;
  const getCount = sdk.getCountFromServer ?? sdk.getCount;
  const getAggregate = sdk.getAggregateFromServer ?? sdk.getAggregate;

  const aggregateField = ([kind, field]) => (kind === 'count' ? sdk.count() : sdk[kind](field));

  const metaOf = ({ metadata }) => ({ pending: metadata.hasPendingWrites, fromCache: metadata.fromCache });
  const dataOf = (snapshot) => (snapshot.exists() ? plain(snapshot.data()) : undefined);

  return {
    sdk,
    db,
    build,
    plain,
    doc,
    /** Snapshots in the form that listeners push. */
    oneEvent: (snapshot) => ({ exists: snapshot.exists(), data: dataOf(snapshot), ...metaOf(snapshot) }),
    manyEvent: (snapshot) => ({
      docs: snapshot.docs.map((found) => ({ id: found.id, data: plain(found.data()) })),
      ids: snapshot.docs.map((found) => found.id),
      changes: snapshot.docChanges().map((change) => `${change.type} ${change.doc.id}`),
      ...metaOf(snapshot),
    }),
    get: async (path) => dataOf(await sdk.getDoc(doc(path))),
    snapshot: (path) => sdk.getDoc(doc(path)),
    set: (path, data, options) =>
      options ? sdk.setDoc(doc(path), data, options) : sdk.setDoc(doc(path), data),
    update: (path, ...change) => sdk.updateDoc(doc(path), ...change),
    remove: (path) => sdk.deleteDoc(doc(path)),
    add: async (path, data) => (await sdk.addDoc(sdk.collection(db, path), data)).id,
    query: async (spec) => {
      const snapshot = await getDocs(build(spec));
      return snapshot.docs.map((found) => ({
        id: found.id,
        path: found.ref.path,
        data: plain(found.data()),
      }));
    },
    count: async (spec) => (await getCount(build(spec))).data().count,
    aggregate: async (spec, fields) => {
      const wanted = Object.fromEntries(
        Object.entries(fields).map(([alias, field]) => [alias, aggregateField(field)]),
      );
      return (await getAggregate(build(spec), wanted)).data();
    },
    batch: async (steps) => {
      const batch = sdk.writeBatch(db);
      for (const [kind, path, ...rest] of steps) {
        const method = kind === 'remove' ? 'delete' : kind;
        batch[method](doc(path), ...rest);
      }
      await batch.commit();
    },
    converted: (path, converter) => {
      const ref = doc(path).withConverter(converter);
      return {
        set: (value) => sdk.setDoc(ref, value),
        get: async () => (await sdk.getDoc(ref)).data(),
        /** Replaces what it holds by what `change` makes of it, in a transaction. */
        replace: (change) =>
          sdk.runTransaction(db, async (tx) => tx.set(ref, change((await tx.get(ref)).data()))),
        listen: (events) =>
          sdk.onSnapshot(
            ref,
            (found) => events.push(found.data()),
            (error) => events.fail(error),
          ),
      };
    },
    convertedQuery: (spec, converter) => {
      const query = build(spec).withConverter(converter);
      const objects = (found) => found.docs.map((one) => one.data());
      return {
        get: async () => objects(await getDocs(query)),
        listen: (events) =>
          sdk.onSnapshot(
            query,
            (found) => events.push(objects(found)),
            (error) => events.fail(error),
          ),
      };
    },
    transaction: (work, options) =>
      sdk.runTransaction(
        db,
        (tx) =>
          work({
            get: async (path) => dataOf(await tx.get(doc(path))),
            set: (path, ...rest) => tx.set(doc(path), ...rest),
            update: (path, ...rest) => tx.update(doc(path), ...rest),
            remove: (path) => tx.delete(doc(path)),
          }),
        options,
      ),
    value: {
      time: (seconds, nanos) => new sdk.Timestamp(seconds, nanos),
      geo: (latitude, longitude) => new sdk.GeoPoint(latitude, longitude),
      bytes: (list) => sdk.Bytes.fromUint8Array(new Uint8Array(list)),
      ref: doc,
      vector: sdk.vector && ((list) => sdk.vector(list)),
      serverTimestamp: sdk.serverTimestamp,
      increment: sdk.increment,
      arrayUnion: sdk.arrayUnion,
      arrayRemove: sdk.arrayRemove,
      deleteField: sdk.deleteField,
      fieldPath: (...names) => new sdk.FieldPath(...names),
    },
  };
}
