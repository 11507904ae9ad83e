import { type ReactNode, useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { topDialog } from '../../ui/popups/top-dialog.ts';
import { tellFailure } from '../shell/tell-failure.ts';
import { carryOut, type NamedThings, undoLastTransfer } from './carry-out.ts';
import { DropPanel } from './drop-panel.tsx';
import type { Target } from './targets.ts';
import { TransferDialog, type TransferQuestion } from './transfer-dialog.tsx';

/** Copies and moves between projects and the library, for a page of images or layouts. */
export interface Transfers {
  /** Asks where copies of things go. */
  readonly copy: (things: NamedThings) => void;
  /** Asks where things move. */
  readonly move: (things: NamedThings) => void;
  /** The question, and the places to drop on. */
  readonly windows: ReactNode;
}

/** The transfers of a page. Ctrl+Z takes the last one back. @param onDone something was copied or moved */
export function useTransfers(onDone?: () => void): Transfers {
  const navigate = useNavigate();
  const [asked, setAsked] = useState<TransferQuestion>();
  useUndoKey();
  const run = async (things: NamedThings, to: Target, move: boolean) => {
    if (await carryOut(things, to, move, (address) => void navigate(address))) onDone?.();
  };
  return {
    copy: (things) => setAsked({ things, move: false }),
    move: (things) => setAsked({ things, move: true }),
    windows: (
      <>
        {asked && <TransferDialog of={asked} onClose={() => setAsked(undefined)} onChosen={run} />}
        <DropPanel onDrop={(things, to, move) => void run(things, to, move).catch(tellFailure)} />
      </>
    ),
  };
}

function useUndoKey(): void {
  useEffect(() => {
    const undo = (event: KeyboardEvent) => {
      const pressed = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;
      if (!pressed || event.key.toLowerCase() !== 'z' || topDialog()) return;
      const { target } = event;
      if (target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]'))
        return;
      if (undoLastTransfer()) event.preventDefault();
    };
    document.addEventListener('keydown', undo);
    return () => document.removeEventListener('keydown', undo);
  }, []);
}
