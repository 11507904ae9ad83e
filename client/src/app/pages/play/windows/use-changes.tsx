import { type ReactNode, useState } from 'react';
import type { Act, CardChange, CardNews } from '../../../../core/play/protocol/messages.ts';
import type { TableView } from '../../../../core/play/view/view.ts';
import { isolated } from '../../../../core/text/names.ts';
import { LoadedWindow } from '../../../../ui/loaded-window.tsx';
import play from '../play.module.css';

const cardsWindow = async () => (await import('./cards-window.tsx')).CardsWindow;

/** Changes of a project that a table has not taken yet, and how to take them. */
export interface ChangesOfTable {
  readonly table: string;
  readonly view: TableView;
  readonly news: CardNews;
  readonly act: (act: Act) => void;
}

/** Changes of the project, for those who lead the table: the entry of its bar, and what lies over the table. */
export function useChanges({
  news,
  act,
  ...shared
}: Omit<ChangesOfTable, 'news' | 'act'> & {
  readonly news: CardNews | undefined;
  readonly act: (act: Act) => Promise<unknown>;
}): { bar?: { waits: boolean; onOpen: () => void }; window?: ReactNode } {
  const [open, setOpen] = useState(false);
  // The cards of a version stay as they are.
  if (!news || shared.view.table.settings.version !== undefined) return {};
  const onOpen = () => setOpen(true);
  return {
    bar: { waits: news.waiting !== undefined || news.behind || news.trouble !== null, onOpen },
    window: (
      <Cards
        {...shared}
        news={news}
        act={(one) => void act(one)}
        open={open}
        onOpen={onOpen}
        onClose={() => setOpen(false)}
      />
    ),
  };
}

/** A change that waits, told over the table; and the window of the project's changes while it is open. */
function Cards({
  open,
  onOpen,
  onClose,
  ...shared
}: ChangesOfTable & { readonly open: boolean; readonly onOpen: () => void; readonly onClose: () => void }) {
  const { news, view } = shared;
  const waits = news.waiting !== undefined || news.behind;
  return (
    <>
      {waits && !open && !view.table.ended && view.table.settings.follow === 'ask' && (
        <div className={`${play.question} ${play.below}`} role="status">
          <span>The project has changed{news.waiting && `: ${summary(news.waiting)}`}.</span>
          <button type="button" onClick={onOpen}>
            Look at the changes
          </button>
        </div>
      )}
      {open && <LoadedWindow load={cardsWindow} props={{ ...shared, onClose }} />}
    </>
  );
}

const counted = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;

/** A change in a few words. */
function summary({ components, layouts }: CardChange): string {
  const cards = components.map((one) => {
    const count = one.new + one.gone + one.changed;
    return `${counted(count, 'card', 'cards')} of ${isolated(one.name)}`;
  });
  return [...cards, ...(layouts ? ['the look of cards'] : [])].join(', ');
}
