import { useCallback, useMemo, useRef, useState } from 'react';
import type { CardText } from '../../../core/book/checks.ts';
import { noTermsOfProse, toRulebook } from '../../../core/book/prose/convert.ts';
import type { RulebookDocument, WithId } from '../../../data/documents.ts';
import { edits } from '../../../data/members.ts';
import { describeError } from '../../../data/messages.ts';
import {
  type BookPart,
  namedCards,
  namedIcons,
  projectFacts,
} from '../../../data/rulebooks/project-facts.ts';
import type { RulebookText } from '../../../data/rulebooks/stored-text.ts';
import { sessionUser } from '../../../data/session.ts';
import { ShortcutSheet } from '../../../ui/commands/shortcut-sheet.tsx';
import { Problem } from '../../../ui/page.tsx';
import { Popup } from '../../../ui/popups/popup.tsx';
import { useThingTitle } from '../../shell/document-title.ts';
import { useOpenProject } from '../project/project-gate.tsx';
import { COMMANDS, type RulebookContext } from './commands/commands.ts';
import { BlockFields } from './panels/block-fields.tsx';
import { ExportWindow } from './panels/export-window.tsx';
import { FileWindow } from './panels/file-window.tsx';
import { InsertWindow } from './panels/insert-window.tsx';
import { PublishWindow } from './panels/publish-window.tsx';
import { RulebookBar } from './panels/rulebook-bar.tsx';
import { SettingsWindow } from './panels/settings-window.tsx';
import { SidePane } from './panels/side-pane.tsx';
import { VersionsWindow } from './panels/versions-window.tsx';
import css from './rulebook.module.css';
import { changeNoTerm, noTermPlace } from './state/no-terms.ts';
import { insertPictures } from './state/pasted-pictures.ts';
import { replaceFound } from './state/replace-found.ts';
import type { EditorHost } from './state/rulebook-editor.ts';
import { useCompany } from './state/use-company.ts';
import { usePages } from './state/use-pages.ts';
import type { ProjectSource } from './state/use-project-source.tsx';
import { useRulebookEditor } from './state/use-rulebook-editor.ts';

type OpenWindow = 'insert' | 'file' | 'shortcuts' | 'settings' | 'export' | 'versions' | 'publish';

const NOTES = [
  {
    title: 'While writing',
    notes: [
      ['/', 'in an empty paragraph: insert'],
      ['# ', 'heading; ## to #### for lower ones'],
      ['- ', 'list'],
      ['1. ', 'numbered steps'],
      ['> ', 'note'],
      ['Tab', 'deeper in a list, next cell or a new row in a table'],
      ['Escape', 'from the fields of a block back to the text'],
    ],
  },
] as const;

const NO_PARTS: readonly BookPart[] = [];
const NO_TEXTS: ReadonlyMap<string, string> = new Map();

/** Names that the fields of a block offer. */
const choicesOf = ({ parts = NO_PARTS, layouts = [] }: ProjectSource) => ({
  cards: [...namedCards(parts).keys()],
  icons: [...namedIcons(layouts).keys()],
  components: parts.map(({ component }) => component.name),
});

/** Around an editor that is not shown yet. */
const NO_HOST: EditorHost = {
  editable: false,
  open: () => undefined,
  toFields: () => undefined,
  takePictures: () => undefined,
};

/** Of several cards with one name, the first. */
const textsByName = (texts: readonly CardText[]): ReadonlyMap<string, string> =>
  new Map(texts.map(({ name, text }) => [name, text] as const).reverse());

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
  const place = useRef<HTMLDivElement>(null);
  const fields = useRef<HTMLFieldSetElement>(null);

  const host = useRef<EditorHost>(NO_HOST);
  host.current = {
    editable: mayEdit,
    open: setShown,
    toFields: () => fields.current?.querySelector<HTMLElement>('input, select, textarea, button')?.focus(),
    takePictures: (into, files) => void insertPictures(project, into, files),
  };
  const cardTexts = useRef(NO_TEXTS);
  const textOfCard = useCallback((name: string) => cardTexts.current.get(name), []);
  const { editor, state, skipped, lost } = useRulebookEditor(
    project,
    rulebook.id,
    text,
    place,
    host,
    textOfCard,
  );

  const company = useCompany(project, rulebook.id, editor, state);

  const doc = useMemo(
    () => toRulebook(state.doc, { title: title || 'Untitled', subtitle, language }),
    [state.doc, title, subtitle, language],
  );
  const { parts, layouts } = source;
  const facts = useMemo(
    () => (parts && layouts ? projectFacts(doc, parts, layouts) : undefined),
    [doc, parts, layouts],
  );
  cardTexts.current = useMemo(() => textsByName(facts?.texts ?? []), [facts?.texts]);
  const choices = useMemo(() => choicesOf(source), [source]);
  const pages = usePages(doc, style, format, facts);
  const { view } = editor;
  const context: RulebookContext | undefined = view && {
    view,
    open: setShown,
    toFields: () => host.current.toFields(),
  };
  const nameOf = (uid: string) => (uid === sessionUser()?.uid ? 'you' : (details.people[uid] ?? 'somebody'));
  return (
    <main className={css.screen}>
      <RulebookBar
        back={`/decks/${project.id}`}
        title={title}
        sync={editor.sync}
        peers={company.peers}
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
      <SidePane
        project={project}
        rulebook={rulebook.id}
        state={state}
        pages={pages}
        skipped={[...text.skipped, ...skipped]}
        company={company}
        nameOf={nameOf}
        onBlock={(block) => editor.goTo(block)}
        onReplace={mayEdit ? (finding) => replaceFound(project, editor, finding) : undefined}
        noTerms={noTermsOfProse(state.doc)}
        placeName={(one) => noTermPlace(one, doc, facts?.texts ?? [])}
        onNoTerm={mayEdit ? (one, says) => changeNoTerm(editor, one, says) : undefined}
      />
      <InsertWindow open={shown === 'insert'} context={context} onClose={() => setShown(undefined)} />
      <FileWindow
        open={shown === 'file'}
        project={project}
        editor={editor}
        onClose={() => setShown(undefined)}
      />
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
        onBlock={(block) => editor.goTo(block)}
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
