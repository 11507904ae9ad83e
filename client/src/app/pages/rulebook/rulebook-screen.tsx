import { useEffect, useMemo, useRef, useState } from 'react';
import { toRulebook } from '../../../core/book/prose/convert.ts';
import type { RulebookDocument, WithId } from '../../../data/documents.ts';
import { edits } from '../../../data/members.ts';
import { describeError } from '../../../data/messages.ts';
import {
  type BookPart,
  namedCards,
  namedIcons,
  projectFacts,
} from '../../../data/rulebooks/project-facts.ts';
import type { RulebookText } from '../../../data/rulebooks/read-text.ts';
import { sessionUser } from '../../../data/session.ts';
import { ShortcutSheet } from '../../../ui/commands/shortcut-sheet.tsx';
import { Problem } from '../../../ui/page.tsx';
import { Popup } from '../../../ui/popups/popup.tsx';
import { Tabs } from '../../../ui/tabs.tsx';
import { useThingTitle } from '../../shell/document-title.ts';
import { useOpenProject } from '../project/project-gate.tsx';
import { COMMANDS, type RulebookContext } from './commands/commands.ts';
import { BlockFields } from './panels/block-fields.tsx';
import { ChecksPane } from './panels/checks-pane.tsx';
import { ExportWindow } from './panels/export-window.tsx';
import { InsertWindow } from './panels/insert-window.tsx';
import { PagesPane } from './panels/pages-pane.tsx';
import { PublishWindow } from './panels/publish-window.tsx';
import { RulebookBar } from './panels/rulebook-bar.tsx';
import { SettingsWindow } from './panels/settings-window.tsx';
import { VersionsWindow } from './panels/versions-window.tsx';
import css from './rulebook.module.css';
import { blockAtCursor, type EditorHost } from './state/rulebook-editor.ts';
import { usePages } from './state/use-pages.ts';
import type { ProjectSource } from './state/use-project-source.tsx';
import { useRulebookEditor } from './state/use-rulebook-editor.ts';

/** Room that a page leaves beside it, and the widest page, in CSS pixels. */
const PAGE_ROOM_PX = 92;
const MAX_PAGE_PX = 640;

type OpenWindow = 'insert' | 'shortcuts' | 'settings' | 'export' | 'versions' | 'publish';

const NOTES = [
  {
    title: 'While writing',
    notes: [
      ['/', 'in an empty paragraph: insert'],
      ['# ', 'heading; ## to #### for lower ones'],
      ['- ', 'list'],
      ['1. ', 'numbered steps'],
      ['> ', 'note'],
      ['Tab', 'deeper in a list, next cell in a table'],
      ['Escape', 'from the fields of a block back to the text'],
    ],
  },
] as const;

const NO_PARTS: readonly BookPart[] = [];

/** The rulebook maker around one rulebook. */
export function RulebookScreen({
  rulebook,
  text,
  source,
}: {
  rulebook: WithId<RulebookDocument>;
  text: RulebookText;
  source: ProjectSource;
}) {
  const { project, role, details } = useOpenProject();
  const mayEdit = edits(role);
  const { title, subtitle, language, style, format } = rulebook;
  useThingTitle(title);
  const [shown, setShown] = useState<OpenWindow>();
  const [beside, setBeside] = useState<'pages' | 'checks'>('pages');
  const place = useRef<HTMLDivElement>(null);
  const pane = useRef<HTMLDivElement>(null);
  const fields = useRef<HTMLFieldSetElement>(null);
  const width = usePageWidth(pane);

  const host = useRef<EditorHost>({ editable: false, open: setShown, toFields: () => undefined });
  host.current = {
    editable: mayEdit,
    open: setShown,
    toFields: () => fields.current?.querySelector<HTMLElement>('input, select, textarea, button')?.focus(),
  };
  const { editor, state, skipped, lost } = useRulebookEditor(project, rulebook.id, text, place, host);

  const doc = useMemo(
    () => toRulebook(state.doc, { title: title || 'Untitled', subtitle, language }),
    [state.doc, title, subtitle, language],
  );
  const { parts, layouts } = source;
  const facts = useMemo(
    () => (parts && layouts ? projectFacts(doc, parts, layouts) : undefined),
    [doc, parts, layouts],
  );
  const choices = useMemo(
    () => ({
      cards: [...namedCards(parts ?? NO_PARTS).keys()],
      icons: [...namedIcons(layouts ?? []).keys()],
      components: (parts ?? NO_PARTS).map(({ component }) => component.name),
    }),
    [parts, layouts],
  );
  const pages = usePages(doc, style, format, facts);
  const findings = pages.reply?.findings ?? [];
  const faults = findings.length + skipped.length + text.skipped.length;
  const { view } = editor;
  const context: RulebookContext | undefined = view && {
    view,
    open: setShown,
    toFields: () => host.current.toFields(),
  };
  const goTo = (block: string) => editor.goTo(block);
  const nameOf = (uid: string) => (uid === sessionUser()?.uid ? 'you' : (details.people[uid] ?? 'somebody'));
  return (
    <main className={css.screen}>
      <RulebookBar
        back={`/decks/${project.id}`}
        title={title}
        sync={editor.sync}
        state={state}
        context={context}
        mayEdit={mayEdit}
        onVersions={() => setShown('versions')}
        onSettings={() => setShown('settings')}
        onPublish={() => setShown('publish')}
        onExport={() => setShown('export')}
      />
      <div className={css.writing}>
        {lost && (
          <Problem title={describeError(lost)}>Reload the page; keep a copy of what you wrote last.</Problem>
        )}
        <BlockFields editor={editor} state={state} choices={choices} fields={fields} />
        <div ref={place} className={css.text} />
      </div>
      <div ref={pane} className={css.side}>
        <div className={css.tabs}>
          <Tabs
            label="Beside the text"
            tabs={[
              { id: 'pages', label: pages.reply ? `Pages ${pages.reply.pages.length}` : 'Pages' },
              { id: 'checks', label: pages.reply ? `Checks ${faults}` : 'Checks' },
            ]}
            shown={beside}
            onShow={setBeside}
          />
        </div>
        {beside === 'checks' ? (
          <ChecksPane
            findings={findings}
            skipped={[...text.skipped, ...skipped]}
            nameOf={nameOf}
            onBlock={goTo}
          />
        ) : (
          <PagesPane pages={pages} active={blockAtCursor(state)} width={width} onBlock={goTo} />
        )}
      </div>
      <InsertWindow open={shown === 'insert'} context={context} onClose={() => setShown(undefined)} />
      <SettingsWindow
        open={shown === 'settings'}
        project={project}
        rulebook={rulebook}
        onClose={() => setShown(undefined)}
      />
      <VersionsWindow
        open={shown === 'versions'}
        project={project}
        rulebook={rulebook.id}
        editor={editor}
        state={state}
        mayEdit={mayEdit}
        nameOf={nameOf}
        onClose={() => setShown(undefined)}
      />
      <PublishWindow
        open={shown === 'publish'}
        project={project}
        rulebook={rulebook.id}
        link={rulebook.link}
        mayEdit={mayEdit}
        setter={pages.setter}
        request={() =>
          parts && layouts && { doc, style, format, project: projectFacts(doc, parts, layouts, true) }
        }
        onClose={() => setShown(undefined)}
      />
      <ExportWindow
        open={shown === 'export'}
        setter={pages.setter}
        request={facts && { doc, style, format, project: facts }}
        onClose={() => setShown(undefined)}
      />
      <Popup
        open={shown === 'shortcuts'}
        onClose={() => setShown(undefined)}
        title="Keyboard shortcuts"
        width={640}
      >
        <ShortcutSheet commands={COMMANDS} notes={NOTES} />
      </Popup>
    </main>
  );
}

/** Width of a page beside the text, in CSS pixels. */
function usePageWidth(pane: React.RefObject<HTMLElement | null>): number {
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
