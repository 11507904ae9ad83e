import { useEffect, useState } from 'react';
import { documentOrder } from '../../sdk/firestore/listen/order.ts';
import type { TargetSpec } from '../../sdk/firestore/listen/target.ts';
import type { WireDocument, WireOrder } from '../../sdk/firestore/types.ts';
import { database, words } from './server.ts';

/** Time for which a changed document is highlighted, in milliseconds. */
const MARKED_MS = 1_600;

/** Documents as they are now. */
export interface Live {
  /** In order; undefined until the first answer. */
  readonly documents: readonly WireDocument[] | undefined;
  /** Names of documents that changed a moment ago. */
  readonly changed: ReadonlySet<string>;
  readonly error: string | undefined;
}

const NONE: ReadonlySet<string> = new Set();
const NOTHING: Live = { documents: undefined, changed: NONE, error: undefined };

/** Watches a query or documents; `spec` is its JSON, so that equal ones are one. */
export function useLive(databaseId: string, spec: string | null, orders: readonly WireOrder[] = []): Live {
  const [live, setLive] = useState<Live & { of: string }>({ ...NOTHING, of: '' });
  const of = `${databaseId} ${spec}`;
  const order = JSON.stringify(orders);
  useEffect(() => {
    if (spec === null) return;
    const compare = documentOrder(JSON.parse(order) as WireOrder[]);
    let known: Map<string, string | undefined> | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = database(databaseId).connection.listen(of, JSON.parse(spec) as TargetSpec, {
      changed(found) {
        const documents = [...found.values()].sort(compare);
        const before = known;
        known = new Map(documents.map(({ name, updateTime }) => [name, updateTime]));
        const changed = documents.filter(
          ({ name, updateTime }) => before !== undefined && before.get(name) !== updateTime,
        );
        setLive({ documents, changed: new Set(changed.map(({ name }) => name)), error: undefined, of });
        clearTimeout(timer);
        timer = setTimeout(() => setLive((old) => ({ ...old, changed: NONE })), MARKED_MS);
      },
      failed: (error) => setLive({ ...NOTHING, error: words(error), of }),
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [databaseId, spec, of, order]);
  return live.of === of ? live : NOTHING;
}
