import { createStore, del, get, set, type UseStore } from 'idb-keyval';
import { type Layout, layoutSchema } from '../../core/scene/layout.ts';
import { sessionUser } from '../account/session.ts';

/** Changes to layouts that were held back, kept on this machine until they are saved or dropped. */

export interface HeldLayout {
  /** Stored layout that the changes are based on. */
  readonly base: Layout;
  readonly scene: Layout;
}

let opened: UseStore | undefined;
const heldStore = () => {
  opened ??= createStore('tuckbox-held', 'layouts');
  return opened;
};
const keyOf = (layout: string) => `${sessionUser()?.uid}/${layout}`;

/** Held changes of a layout on this machine. An entry that is no longer a valid layout counts as none. */
export async function heldLayout(layout: string): Promise<HeldLayout | undefined> {
  const found = await get<Partial<HeldLayout>>(keyOf(layout), heldStore());
  const [base, scene] = [layoutSchema.safeParse(found?.base), layoutSchema.safeParse(found?.scene)];
  return base.success && scene.success ? { base: base.data, scene: scene.data } : undefined;
}

export const keepHeldLayout = (layout: string, held: HeldLayout): Promise<void> =>
  set(keyOf(layout), held, heldStore());

export const forgetHeldLayout = (layout: string): Promise<void> => del(keyOf(layout), heldStore());
