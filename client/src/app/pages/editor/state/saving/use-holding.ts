import { useCallback, useEffect, useState } from 'react';
import { mergeLayouts } from '../../../../../core/scene/changes/merge.ts';
import type { Layout } from '../../../../../core/scene/layout.ts';
import { forgetHeldLayout, heldLayout, keepHeldLayout } from '../../../../../data/layouts/held-layouts.ts';
import { toasts } from '../../../../../ui/toasts/engine.ts';
import { takeOver } from '../../panels/layout/version-dialog.tsx';
import type { EditorModel } from '../editor-store.ts';
import type { Autosave } from './autosave.ts';

export interface Holding {
  readonly on: boolean;
  hold(): void;
  /** Saves what was held back, for every card of every component. */
  save(): void;
  /** Goes back to what is stored. */
  drop(): void;
}

/**
 * Holding changes back: nothing is saved until the user has seen what it changes. Until then the
 * changes are kept on this machine, so that closing the page loses none.
 *
 * @param stored what the server has now
 */
export function useHolding(
  layout: string,
  stored: Layout,
  scene: Layout,
  model: EditorModel,
  autosave: Autosave<Layout>,
): Holding {
  const [on, setOn] = useState(false);

  // biome-ignore lint/correctness/useExhaustiveDependencies: looked for once, over what was stored then
  useEffect(() => {
    let stale = false;
    heldLayout(layout).then(
      (held) => {
        if (stale || !held) return;
        autosave.hold();
        setOn(true);
        takeOver(model, mergeLayouts(held.base, held.scene, model.state.document, 'mine'));
      },
      () => undefined,
    );
    return () => {
      stale = true;
    };
  }, [layout]);

  useEffect(() => {
    if (!on) return;
    keepHeldLayout(layout, { base: stored, scene }).catch(() => {
      toasts.show('What you hold back cannot be kept on this machine. Save it before you leave.', {
        type: 'warning',
        autoCloseTime: 8_000,
      });
    });
  }, [on, layout, stored, scene]);

  const end = useCallback(() => {
    setOn(false);
    void forgetHeldLayout(layout).catch(() => undefined);
    void autosave.release();
  }, [layout, autosave]);
  return {
    on,
    hold: () => {
      autosave.hold();
      setOn(true);
    },
    save: end,
    drop: () => {
      takeOver(model, stored);
      // The editor tells of what it shows now only after it was drawn: then there is nothing left to hold.
      autosave.changed(model.state.document);
      end();
    },
  };
}
