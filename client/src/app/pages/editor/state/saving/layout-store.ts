import type { Layout } from '../../../../../core/scene/layout.ts';
import type { CommitLayout } from './layout-sync.ts';

/** Place of an edited layout. */
export interface LayoutStore {
  /** Stable name of the layout on this machine, under which changes that are held back are kept. */
  readonly id: string;
  readonly commit: CommitLayout;
  /** Keeps a former state of it; missing where none are kept. */
  keepVersion?(scene: Layout): Promise<void>;
}
