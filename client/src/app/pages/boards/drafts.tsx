import { Copy, Ellipsis, Printer, Trash2 } from 'lucide-react';
import { cutText } from '../../../core/text/cut-text.ts';
import { isolated } from '../../../core/text/names.ts';
import { addDraft, type Draft, deleteDraft, restoreDraft } from '../../../data/boards/drafts.ts';
import { useDrafts } from '../../../data/boards/use-drafts.ts';
import { MAX_NAME_LENGTH } from '../../../data/documents/documents.ts';
import { describeError } from '../../../data/server/messages.ts';
import { Menu } from '../../../ui/menu/menu.tsx';
import { Problem } from '../../../ui/page/page.tsx';
import { toasts } from '../../../ui/toasts/engine.ts';
import { tellFailure } from '../../shell/tell-failure.ts';
import { ago } from '../projects/project-tile.tsx';
import { BoardTile } from './board-tile.tsx';
import css from './boards.module.css';
import { draftAddress, printAddress } from './draft-address.ts';

async function remove(draft: Draft): Promise<void> {
  await deleteDraft(draft.id);
  toasts.show(`${isolated(draft.scene.name)} is deleted.`, {
    actions: [{ buttonText: 'Undo', function: () => void restoreDraft(draft).catch(tellFailure) }],
    autoCloseTime: 8_000,
  });
}

async function duplicate({ scene, fold }: Draft): Promise<void> {
  await addDraft({ ...scene, name: cutText(`${scene.name} copy`, MAX_NAME_LENGTH) }, fold);
}

/** The boards that lie in this browser; nothing where there are none. */
export function Drafts() {
  const { data, error } = useDrafts();
  if (error) {
    return (
      <Problem title="The boards of this browser cannot be read.">
        {describeError(error)} Private windows of some browsers keep nothing.
      </Problem>
    );
  }
  if (!data || data.length === 0) return null;
  return (
    <section className={css.section} aria-labelledby="board-drafts">
      <h2 id="board-drafts">In this browser</h2>
      <p>Kept on this machine alone. Save a board to a project to have it everywhere and to play with it.</p>
      <ul className={css.grid}>
        {data.map((draft) => (
          <BoardTile
            key={draft.id}
            scene={draft.scene}
            name={draft.scene.name || 'Board without a name'}
            note={`Changed ${ago(draft.updatedAt)}`}
            to={draftAddress(draft.id)}
          >
            <Menu
              label={`More for ${isolated(draft.scene.name)}`}
              items={[
                { label: 'Print', icon: <Printer size={15} />, to: printAddress(draft.id) },
                {
                  label: 'Duplicate',
                  icon: <Copy size={15} />,
                  onSelect: () => void duplicate(draft).catch(tellFailure),
                },
                {
                  label: 'Delete',
                  icon: <Trash2 size={15} />,
                  danger: true,
                  onSelect: () => void remove(draft).catch(tellFailure),
                },
              ]}
            >
              <Ellipsis size={18} aria-hidden />
            </Menu>
          </BoardTile>
        ))}
      </ul>
    </section>
  );
}
