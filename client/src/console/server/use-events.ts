import { useEffect, useState } from 'react';
import { reason, send, words } from './server.ts';

/** Most entries kept in the page. */
const MOST = 2_000;

/** State of a stream. */
export type StreamState = 'opening' | 'open' | 'lost';

/** One entry of a stream. */
export interface StreamEntry {
  /** Its number in this run of the server. */
  readonly number: number;
  readonly name: string;
  // biome-ignore lint/suspicious/noExplicitAny: each stream has its own shape
  readonly data: any;
}

/** Data received from a stream. */
export interface Stream {
  readonly entries: readonly StreamEntry[];
  readonly state: StreamState;
  /** Why it cannot be had. */
  readonly error: string | undefined;
}

const NOTHING: Stream = { entries: [], state: 'opening', error: undefined };

/** Follows a stream of the server's events; what comes together is shown together. */
export function useEvents(path: string, names: string): Stream {
  const [stream, setStream] = useState(NOTHING);
  useEffect(() => {
    setStream(NOTHING);
    const source = new EventSource(path);
    let waiting: StreamEntry[] = [];
    let run = '';
    let frame = 0;
    let over = false;
    const show = () => {
      frame = 0;
      const came = waiting;
      waiting = [];
      setStream((old) => ({ ...old, entries: [...old.entries, ...came].slice(-MOST) }));
    };
    const take = (event: MessageEvent<string>) => {
      const [of = '', number = '0'] = event.lastEventId.split('.');
      if (of !== run) {
        // The server was started again: its numbers, too.
        if (run !== '') setStream((old) => ({ ...old, entries: [] }));
        run = of;
        waiting = [];
      }
      waiting.push({ number: Number(number), name: event.type, data: JSON.parse(event.data) as unknown });
      if (frame === 0) frame = requestAnimationFrame(show);
    };
    for (const name of names.split(' ')) source.addEventListener(name, take as EventListener);
    source.onopen = () => setStream((old) => ({ ...old, state: 'open', error: undefined }));
    source.onerror = () => {
      setStream((old) => ({ ...old, state: 'lost' }));
      if (source.readyState !== EventSource.CLOSED) return;
      // A refusal: the browser does not say which.
      const controller = new AbortController();
      send(path, { signal: controller.signal })
        .then(async (response) => (response.ok ? undefined : reason(await response.text(), response.status)))
        .catch(words)
        .then((error) => {
          controller.abort();
          if (!over) setStream((old) => ({ ...old, error }));
        });
    };
    return () => {
      over = true;
      source.close();
      cancelAnimationFrame(frame);
    };
  }, [path, names]);
  return stream;
}
