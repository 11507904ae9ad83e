import { mergeLayouts } from '../../../../../core/scene/changes/merge.ts';
import { sameDocument } from '../../../../../core/scene/changes/same-document.ts';
import type { Layout } from '../../../../../core/scene/layout.ts';

/** A layout as the server has it. Every save makes the revision one more. */
export interface StoredLayout {
  readonly scene: Layout;
  readonly revision: number;
}

/**
 * Writes a layout in a transaction: `make` is given what is stored and answers what is to be. It may
 * be called again when somebody else was faster.
 */
export type CommitLayout = (make: (stored: StoredLayout) => Layout) => Promise<StoredLayout>;

/** The document under the editor's hands. */
export interface Document {
  read(): Layout;
  /** Takes over what others changed; not an act of the user's. */
  takeOver(scene: Layout): void;
}

/**
 * Keeps the edited layout and the stored one together while others edit it too. What the server last
 * said is the base; one's own changes since and those of others are merged over it, here when news
 * arrive and in the transaction that saves, so that no save overwrites what it has not seen and all
 * editors come to the same document.
 */
export class LayoutSync {
  #base: StoredLayout;
  #saving = false;
  /** The newest news that came during a save. */
  #waiting: StoredLayout | undefined;
  readonly #commit: CommitLayout;
  readonly #document: Document;

  constructor(stored: StoredLayout, commit: CommitLayout, document: Document) {
    this.#base = stored;
    this.#commit = commit;
    this.#document = document;
  }

  /** True if this very scene is the server's. */
  isStored(scene: Layout): boolean {
    return scene === this.#base.scene;
  }

  /** The server has this now. Old news, and one's own, change nothing. */
  arrived(stored: StoredLayout): void {
    if (this.#saving) {
      if (!this.#waiting || stored.revision > this.#waiting.revision) this.#waiting = stored;
      return;
    }
    if (stored.revision <= this.#base.revision) return;
    const mine = this.#document.read();
    const merged = mergeLayouts(this.#base.scene, mine, stored.scene, 'mine');
    // The same in other objects: the scene in hand is the server's.
    this.#base = sameDocument(stored.scene, mine) ? { ...stored, scene: mine } : stored;
    if (!sameDocument(merged, mine)) this.#document.takeOver(merged);
  }

  async save(scene: Layout): Promise<void> {
    this.#saving = true;
    try {
      const written = await this.#commit((stored) =>
        stored.revision <= this.#base.revision
          ? scene
          : mergeLayouts(this.#base.scene, scene, stored.scene, 'mine'),
      );
      this.#base = written;
      const mine = this.#document.read();
      const merged = mergeLayouts(scene, mine, written.scene, 'mine');
      if (merged !== mine) this.#document.takeOver(merged);
    } finally {
      this.#saving = false;
      const news = this.#waiting;
      this.#waiting = undefined;
      if (news) this.arrived(news);
    }
  }
}
