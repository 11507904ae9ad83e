/** The part of the browser's `navigator.locks` that is needed. */
export type Locks = Pick<LockManager, 'request'>;

/** The browser's lock on running a tutorial. */
const LOCK_NAME = 'tuckbox-tutorial';

interface Claim {
  /** The browser keeps the lock until this is settled. */
  readonly held: Promise<void>;
  readonly release: () => void;
}

function newClaim(): Claim {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { held, release };
}

/**
 * A lock that lets one tab at a time run the stored tutorial. The browser releases it when the tab is closed or
 * reloaded, so the next tab finds it free. Without the Web Locks API, or where it refuses, every tab counts as the only
 * one.
 */
export class TabClaim {
  readonly #locks: Locks | undefined;
  readonly #lost: () => void;
  #claim: Claim | undefined;

  /** @param lost called when another tab takes over */
  constructor(locks: Locks | undefined, lost: () => void) {
    this.#locks = locks;
    this.#lost = lost;
  }

  /** Takes over from whichever tab has it. */
  take(): void {
    if (this.#claim) return;
    const claim = newClaim();
    this.#claim = claim;
    this.#request({ steal: true }, claim, () => claim.held).catch(() => undefined);
  }

  /** Takes it if no tab has it; answers whether this one has got it by that. */
  takeIfFree(): Promise<boolean> {
    const claim = newClaim();
    return new Promise((answer) => {
      this.#request({ ifAvailable: true }, claim, (lock) => {
        // It may have been taken over here while the browser looked.
        const got = lock !== null && !this.#claim;
        if (got) this.#claim = claim;
        answer(got);
        return got ? claim.held : undefined;
      }).catch(() => answer(true));
    });
  }

  /** Lets another tab have it. */
  release(): void {
    this.#claim?.release();
    this.#claim = undefined;
  }

  async #request(
    options: LockOptions,
    claim: Claim,
    granted: (lock: Lock | null) => Promise<void> | undefined,
  ): Promise<void> {
    if (!this.#locks) throw new Error('This browser has no locks.');
    let answered = false;
    try {
      await this.#locks.request(LOCK_NAME, options, (lock) => {
        answered = true;
        return granted(lock);
      });
    } catch (error) {
      if (!answered) throw error;
      if (this.#claim !== claim) return;
      this.#claim = undefined;
      this.#lost();
    }
  }
}
