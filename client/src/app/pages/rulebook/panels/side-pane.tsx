import type { EditorState } from 'prosemirror-state';
import { type RefObject, useEffect, useRef, useState } from 'react';
import type { Finding } from '../../../../core/book/checks/checks.ts';
import type { Project } from '../../../../data/project/open-project.ts';
import type { SkippedStep } from '../../../../data/rulebooks/sync.ts';
import { Tabs } from '../../../../ui/page/tabs.tsx';
import css from '../rulebook.module.css';
import { blockAtCursor } from '../state/block-places.ts';
import type { Company } from '../state/use-company.ts';
import type { ShownPages } from '../state/use-pages.ts';
import { ChecksPane } from './checks-pane.tsx';
import { CommentsPane } from './comments-pane.tsx';
import { PagesPane } from './pages-pane.tsx';

/** Room that a page leaves beside it, and the widest page, in CSS pixels. */
const PAGE_ROOM_PX = 92;
const MAX_PAGE_PX = 640;

/** Beside the text: its pages, what the checks found, and what people said. */
export function SidePane({
  project,
  rulebook,
  state,
  pages,
  skipped,
  company,
  nameOf,
  onBlock,
  onReplace,
  noTerms,
  placeName,
  onNoTerm,
  translations,
  onTranslation,
  translating,
}: Pick<
  Parameters<typeof ChecksPane>[0],
  'noTerms' | 'placeName' | 'onNoTerm' | 'translations' | 'onTranslation'
> & {
  /** True if the pages are those of a translation: only what they show themselves is a finding. */
  translating: boolean;
  project: Project;
  /** Id of the rulebook. */
  rulebook: string;
  state: EditorState;
  pages: ShownPages;
  skipped: readonly SkippedStep[];
  company: Company;
  nameOf: (uid: string) => string;
  onBlock: (block: string) => void;
  onReplace: ((finding: Finding) => void) | undefined;
}) {
  const [shown, setShown] = useState<'pages' | 'checks' | 'comments'>('pages');
  const pane = useRef<HTMLDivElement>(null);
  const width = usePageWidth(pane);
  const { reply } = pages;
  const findings = (reply?.findings ?? []).filter(({ code }) => !translating || code === 'page');
  const open = company.comments?.filter(({ resolved }) => !resolved).length ?? 0;
  return (
    <div ref={pane} className={css.side}>
      <div className={css.tabs}>
        <Tabs
          label="Beside the text"
          tabs={[
            { id: 'pages', label: reply ? `Pages ${reply.pages.length}` : 'Pages' },
            {
              id: 'checks',
              label: reply ? `Checks ${findings.length + skipped.length + translations.length}` : 'Checks',
            },
            { id: 'comments', label: open > 0 ? `Comments ${open}` : 'Comments' },
          ]}
          shown={shown}
          onShow={setShown}
        />
      </div>
      {shown === 'pages' && (
        <PagesPane pages={pages} active={blockAtCursor(state)} width={width} onBlock={onBlock} />
      )}
      {shown === 'checks' && (
        <ChecksPane
          findings={findings}
          translations={translations}
          onTranslation={onTranslation}
          skipped={skipped}
          nameOf={nameOf}
          onBlock={onBlock}
          onReplace={onReplace}
          noTerms={noTerms}
          placeName={placeName}
          onNoTerm={onNoTerm}
        />
      )}
      {shown === 'comments' && (
        <CommentsPane
          project={project}
          rulebook={rulebook}
          state={state}
          company={company}
          onBlock={onBlock}
        />
      )}
    </div>
  );
}

/** Width of a page beside the text, in CSS pixels. */
function usePageWidth(pane: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(MAX_PAGE_PX / 2);
  useEffect(() => {
    const element = pane.current;
    if (!element) return;
    const observer = new ResizeObserver(() =>
      setWidth(Math.max(160, Math.min(MAX_PAGE_PX, element.clientWidth - PAGE_ROOM_PX))),
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [pane]);
  return width;
}
