import { ClipboardPaste, FileSpreadsheet, Link2, RefreshCw } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { Layout } from '../../../../core/scene/layout.ts';
import { allZones } from '../../../../core/table/preflight.ts';
import type { Card, WithId } from '../../../../data/documents/documents.ts';
import { useCardResults } from '../../../../data/play/results.ts';
import { type Cursor, usePresence } from '../../../../data/presence/use-presence.ts';
import type { Project } from '../../../../data/project/open-project.ts';
import type { CardTable } from '../../../../data/table/sync/card-table.ts';
import type { TableState } from '../../../../data/table/sync/table-state.ts';
import { useProjectLanguages } from '../../../../data/translations/use-card-languages.ts';
import { useUserObject } from '../../../../data/user-object/use-user-object.ts';
import type { MenuItem } from '../../../../ui/menu/menu.tsx';
import { CardStrip, type StripHandle, type StripScroll } from './card-strip.tsx';
import { downloads } from './downloads.tsx';
import { ImportFlow } from './import/import-flow.tsx';
import type { ImportKind } from './import/import-source.tsx';
import { useSourceSync } from './import/use-source-sync.tsx';
import { PeerList } from './peers/peer-list.tsx';
import { Peers, PeersContext } from './peers/peers-context.ts';
import toolbar from './table-toolbar.module.css';
import { CardTableView } from './table-view.tsx';
import type { TableTarget } from './use-table-cursor.ts';
import type { TableWords } from './words/table-words.ts';
import { LanguageMenu, useTableLanguage } from './words/use-table-language.tsx';
import { WordsLoader } from './words/words-loader.tsx';

export interface TablePaneProps {
  readonly project: Project;
  readonly table: CardTable;
  readonly state: TableState;
  /** Cards with formula columns worked out. */
  readonly painted: readonly WithId<Card>[];
  readonly layout: Layout | undefined;
  /** Layout of a card, for components whose cards differ in it. */
  readonly front?: (card: WithId<Card>) => Layout;
  readonly target: TableTarget | undefined;
  readonly onOpenCard: (card: string) => void;
}

/** A component's table with the cards above it, what comes in and goes out, and who else is there. */
export function TablePane({
  project,
  table,
  state,
  painted,
  layout,
  front,
  target,
  onOpenCard,
}: TablePaneProps) {
  const { component } = state;
  const { userObject, save } = useUserObject();
  const [importing, setImporting] = useState<ImportKind>();
  const [cursor, setCursor] = useState<Cursor>();
  const [goTo, setGoTo] = useState(target);
  const [withResults, setWithResults] = useState(false);
  const { languages: known } = useProjectLanguages(project);
  const [language, chooseLanguage] = useTableLanguage(project.id, known);
  const [words, setWords] = useState<TableWords>();
  const results = useCardResults(withResults ? project.id : undefined, component.id);
  useEffect(() => setGoTo(target), [target]);
  const strip = useRef<StripHandle>(null);
  const peers = useMemo(() => new Peers(), []);
  usePresence(project, { kind: 'component', id: component.id }, cursor, (list) => peers.set(list));
  const zones = useMemo(() => (layout ? allZones(layout).map(({ name }) => name) : []), [layout]);
  const source = useSourceSync(table, state);

  const settings = useRef(userObject);
  settings.current = userObject;
  const goStrip = (card: string, part: number) => {
    const how: StripScroll =
      part === 0
        ? settings.current.cardScrollBehavior === 'smooth'
          ? 'smooth'
          : 'auto'
        : settings.current.smoothTableScroll
          ? 'smooth'
          : 'auto';
    strip.current?.scrollTo(card, part, how);
  };

  const imports: MenuItem[] = [
    {
      label: 'File: CSV, Excel, JSON…',
      icon: <FileSpreadsheet size={15} />,
      onSelect: () => setImporting('file'),
    },
    { label: 'Pasted rows…', icon: <ClipboardPaste size={15} />, onSelect: () => setImporting('paste') },
    {
      label: `Google Sheet or web address${project.inBrowser ? ': with an account' : '…'}`,
      icon: <Link2 size={15} />,
      disabled: project.inBrowser,
      onSelect: () => setImporting('address'),
    },
    ...(component.source && !project.inBrowser
      ? [
          {
            label: 'Look at the address again',
            icon: <RefreshCw size={15} />,
            divided: true,
            onSelect: () => source.look(),
          },
        ]
      : []),
  ];
  const exports = downloads(state);

  return (
    <PeersContext.Provider value={peers}>
      {language && (
        <WordsLoader
          key={language.tag}
          project={project}
          component={component}
          language={language.tag}
          instead={language.instead}
          onWords={setWords}
        />
      )}
      {layout && painted.length > 0 && (
        <CardStrip
          handle={strip}
          cards={painted}
          columns={component.columns}
          layout={layout}
          front={front ?? (() => layout)}
          copies={userObject.showCardCopies}
          current={cursor?.card}
          words={words}
          onCopies={(showCardCopies) => void save({ showCardCopies })}
          onSelect={(card) => setGoTo({ card, column: undefined })}
          onOpen={onOpenCard}
        />
      )}
      <CardTableView
        table={table}
        state={state}
        zones={zones}
        imports={imports}
        exports={exports}
        results={results}
        onResults={setWithResults}
        words={words}
        languages={
          <LanguageMenu
            className={toolbar.wide}
            project={project.id}
            languages={known}
            shown={language}
            choose={chooseLanguage}
          />
        }
        target={goTo}
        onCursor={(at) => {
          setCursor(at);
          if (at && at.card !== cursor?.card) goStrip(at.card, 0);
        }}
        onOpenCard={onOpenCard}
        onScroll={(scroller, rows, rowHeight) => {
          // Asking where it is makes the browser lay the page out: only for a strip that follows.
          if (!strip.current || !settings.current.useTableScroll) return;
          const place = scroller.scrollTop / rowHeight;
          let at = Math.floor(place);
          while (at < rows.length && rows[at]?.kind !== 'card') at++;
          const row = rows[at];
          if (row) goStrip(row.id, Math.max(0.001, place - Math.floor(place)));
        }}
        peers={<PeerList peers={peers} />}
      />
      <ImportFlow
        kind={importing ?? (source.found ? 'address' : undefined)}
        preloaded={source.found}
        table={table}
        state={state}
        onClose={() => {
          setImporting(undefined);
          source.close();
        }}
      />
    </PeersContext.Provider>
  );
}
