import { Button } from '@mantine/core';
import { Dices, Library, Link2, Table2 } from 'lucide-react';
import { lazy, Suspense, useMemo, useState } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import { isolated } from '../../../core/text/names.ts';
import { isOn, useSite } from '../../../data/site/site.ts';
import { copyLink } from '../../../ui/copy/copy-link.ts';
import { Menu } from '../../../ui/menu/menu.tsx';
import { Page } from '../../../ui/page/page.tsx';
import { toasts } from '../../../ui/toasts/engine.ts';
import { tellFailure } from '../../shell/tell-failure.ts';
import css from './brainstorm.module.css';
import { MAX_GENERATORS, MAX_SENTENCES } from './ideas.ts';
import { IdeasPane } from './ideas-pane.tsx';
import { ListsPane } from './lists-pane.tsx';
import { PACKS, type Pack } from './packs.ts';
import { SentLists } from './sent-lists.tsx';
import { MAX_LINK, readShared, type Shared, withSent, writeShared } from './share.ts';
import { sharedIdea, useIdeas } from './use-ideas.ts';
import { type Lists, useLists } from './use-lists.ts';

/** Ideas drawn at once. */
const FIVE = 5;
/** Begins the part of an address that carries lists. */
const SENT = '#lists=';

/** For those with an account alone. */
const KeptIdeas = lazy(async () => ({ default: (await import('./kept-ideas.tsx')).KeptIdeas }));
/** Writes rows, which few want: not in the page that everybody loads. */
const DrawIntoRows = lazy(async () => ({ default: (await import('./column-window.tsx')).DrawIntoRows }));

function share(shared: Shared): void {
  const text = writeShared(shared);
  if (text.length > MAX_LINK) {
    toasts.show('These lists are too long for a link. Share an idea: its link carries only its own lists.', {
      type: 'warning',
    });
    return;
  }
  void copyLink(`${window.location.origin}/brainstorm${SENT}${text}`);
}

/** Puts a pack among the lists. */
async function addPack(pack: Pack, lists: Lists): Promise<void> {
  const { generators, sentences } = withSent(lists, pack);
  if (generators.length > MAX_GENERATORS || sentences.length > MAX_SENTENCES) {
    toasts.show('There is no room for more lists: delete some first.', { type: 'warning' });
    return;
  }
  const stored = await lists.change((now) => withSent(now, pack));
  if (stored) toasts.show(`${isolated(pack.name)} is among your lists.`, { type: 'success' });
}

/** Keeps ideas with the account; nothing for visitors. */
function useKeeping(signedIn: boolean) {
  const [count, setCount] = useState(0);
  const keep = async (text: string) => {
    try {
      // It brings what reads documents along: for those with an account alone.
      const { keepIdea, MAX_IDEAS } = await import('../../../data/ideas.ts');
      if (count >= MAX_IDEAS) {
        toasts.show(`${MAX_IDEAS} ideas are kept: delete one first.`, { type: 'warning' });
        return;
      }
      await keepIdea(text);
      toasts.show('The idea is kept.', { type: 'success' });
    } catch (error) {
      tellFailure(error);
    }
  };
  return { setCount, keep: signedIn ? (text: string) => void keep(text) : undefined };
}

/** Lists that the address carries: `null` for none, `undefined` for some that cannot be read. */
function useSent() {
  const { hash } = useLocation();
  const shared = useMemo(() => (hash.startsWith(SENT) ? readShared(hash.slice(SENT.length)) : null), [hash]);
  const navigate = useNavigate();
  return { shared, close: () => void navigate('/brainstorm', { replace: true }) };
}

/** `/brainstorm`: ideas by chance, from lists and sentences of one's own. */
export function Component() {
  const lists = useLists();
  const { generators, sentences, signedIn } = lists;
  const on = isOn(useSite(true), 'brainstorm');
  const { ideas, draw, lock, redraw } = useIdeas(generators, sentences);
  const { setCount, keep } = useKeeping(signedIn);
  const { shared, close } = useSent();
  const [drawing, setDrawing] = useState(false);
  if (!on) {
    return (
      <Page title="Brainstorm">
        <p>An admin of this server has switched this page off. Your lists are kept.</p>
      </Page>
    );
  }
  return (
    <Page
      title="Brainstorm"
      lead="Half an idea is enough to begin with. Draw some, keep the one that makes you itch."
      actions={
        <>
          <Button size="md" variant="default" onClick={() => draw(FIVE)}>
            Draw five
          </Button>
          <Button size="md" leftSection={<Dices size={18} aria-hidden />} onClick={() => draw(1)}>
            Draw an idea
          </Button>
        </>
      }
    >
      {shared !== null && <SentLists shared={shared} lists={lists} onKeep={keep} onClose={close} />}
      <IdeasPane
        ideas={ideas}
        onLock={lock}
        onRedraw={redraw}
        onKeep={keep}
        onShare={(idea) => share(sharedIdea(idea, generators))}
      />
      {signedIn && (
        <Suspense fallback={null}>
          <KeptIdeas onCount={setCount} />
        </Suspense>
      )}
      <ListsPane lists={lists} fromColumns={signedIn} />
      <div className={css.row}>
        <Menu
          className={css.packs}
          width={230}
          items={PACKS.map((pack) => ({ label: pack.name, onSelect: () => void addPack(pack, lists) }))}
        >
          <Library size={16} aria-hidden /> Add a pack
        </Menu>
        <Button
          variant="default"
          leftSection={<Link2 size={16} aria-hidden />}
          onClick={() => share({ generators, sentences })}
        >
          Copy a link to these lists
        </Button>
        {signedIn && (
          <Button
            variant="default"
            leftSection={<Table2 size={16} aria-hidden />}
            onClick={() => setDrawing(true)}
          >
            Draw into rows…
          </Button>
        )}
      </div>
      {drawing && (
        <Suspense fallback={null}>
          <DrawIntoRows generators={generators} sentences={sentences} onClose={() => setDrawing(false)} />
        </Suspense>
      )}
      <p className={css.note}>
        {signedIn ? (
          'Your lists, sentences and kept ideas are kept with your account.'
        ) : (
          <>
            <Link to="/login?to=%2Fbrainstorm">Log in</Link> to keep ideas, lists and sentences; without an
            account lists last as long as this page is open.
          </>
        )}
      </p>
    </Page>
  );
}
