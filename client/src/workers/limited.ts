import { Caller, type Endpoint, type Methods } from './rpc.ts';

/** Runs one task in a new worker, and terminates it when the task is done or takes too long. */
export async function inLimitedWorker<M extends Methods, T>(
  worker: Worker,
  limit: { readonly ms: number; readonly late: () => Error },
  run: (caller: Caller<M>) => Promise<T>,
): Promise<T> {
  const caller = new Caller<M>(worker as unknown as Endpoint);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(limit.late()), limit.ms);
  });
  try {
    return await Promise.race([run(caller), late]);
  } finally {
    clearTimeout(timer);
    worker.terminate();
  }
}
