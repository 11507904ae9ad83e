import { useQueryClient } from '@tanstack/react-query';
import { isolated } from '../../../../core/text/names.ts';
import type { CardDifference, CellChange } from '../../../../core/versions/cards.ts';
import type { Component, WithId } from '../../../../data/documents/documents.ts';
import type { Project } from '../../../../data/project/open-project.ts';
import type { Intent } from '../../../../data/table/changes/change.ts';
import type { CardTable } from '../../../../data/table/sync/card-table.ts';
import { holdTable, useCardTable } from '../../../../data/table/use-card-table.ts';
import { NOW } from '../../../../data/versions/calls.ts';
import { compareAgain } from '../../../../data/versions/queries.ts';
import { restoreCard, restoreCell } from '../../../../data/versions/restore-cards.ts';
import { toasts } from '../../../../ui/toasts/engine.ts';
import { tellFailure } from '../../../shell/tell-failure.ts';
import { showUndoable } from '../../project/table/saving/show-undoable.ts';
import { useComparison } from '../comparison-context.ts';
import { useRestoring } from '../use-restoring.ts';

/** Time in which it can be undone by its note, in milliseconds; later, in the table. */
const UNDO_MS = 15_000;

export interface CardRestoring {
  readonly ready: boolean;
  card(card: CardDifference): void;
  cell(card: CardDifference, cell: CellChange): void;
}

/** Calls back once all that was changed in a table is written, or refused. */
function whenWritten(table: CardTable, then: () => void): void {
  const look = () => {
    const { at } = table.snapshot().sync;
    if (at !== 'saved' && at !== 'refused') return;
    stop();
    then();
  };
  const stop = table.subscribe(look);
  look();
}

/** Restores cards and cells by the writes of their table, which undo takes back there too. */
export function useCardRestoring(project: Project, component: WithId<Component>): CardRestoring {
  const client = useQueryClient();
  const { table, state } = useCardTable(project, component);
  const { from, to, labels } = useComparison();
  const { restore } = useRestoring(project);
  const run = (what: string, intents: readonly Intent[]) => {
    if (!table) return;
    if (table.run('Restore', intents) === 0) {
      toasts.show(`${what} is as in ${labels[0]} already, or the card is gone from the project.`, {
        autoCloseTime: 5_000,
      });
      return;
    }
    // The card leaves the list of changes now, and its table would go with it.
    setTimeout(holdTable(project, component), UNDO_MS);
    showUndoable(table, `${what} is restored.`, 'restoration', { type: 'success', autoCloseTime: UNDO_MS });
    whenWritten(table, () => void compareAgain(client, project));
  };
  return {
    ready: table !== undefined && state !== undefined,
    card(card) {
      // Between two versions nothing is said of the card of today: the server compares it again.
      const intents = to === NOW ? restoreCard(card) : undefined;
      if (intents) run(card.name, intents);
      else void restore(from, card.name, [card.path]).catch(tellFailure);
    },
    cell: (card, cell) =>
      run(`${cell.column} of ${isolated(card.name)}`, restoreCell(card, cell, state?.component ?? component)),
  };
}
