import { useMemo, useRef, useState } from 'react';
import { noTermsOfProse, toRulebook } from '../../../core/book/prose/convert.ts';
import { sessionUser } from '../../../data/account/session.ts';
import type { RulebookDocument, WithId } from '../../../data/documents/documents.ts';
import { edits } from '../../../data/project/members.ts';
import { type BookPart, namedCards } from '../../../data/rulebooks/card-names.ts';
import { namedIcons, projectFacts } from '../../../data/rulebooks/project-facts.ts';
import type { RulebookText } from '../../../data/rulebooks/stored-text.ts';
import { describeError } from '../../../data/server/messages.ts';
import { rulebookTranslations } from '../../../data/translations/translation-place.ts';
import { Problem } from '../../../ui/page/page.tsx';
import { useThingTitle } from '../../shell/document-title.ts';
import { useOpenProject } from '../project/project-gate.tsx';
import type { RulebookContext } from './commands/commands.ts';
import { BlockFields } from './panels/block-fields.tsx';
import { RulebookBar } from './panels/rulebook-bar.tsx';
import { type OpenWindow, RulebookWindows } from './panels/rulebook-windows.tsx';
import { SidePane } from './panels/side-pane.tsx';
import css from './rulebook.module.css';
import { changeNoTerm, noTermPlace } from './state/no-terms.ts';
import { insertPictures } from './state/paste/pasted-pictures.ts';
import { replaceFound } from './state/replace-found.ts';
import type { EditorHost } from './state/rulebook-editor.ts';
import { useCardTexts } from './state/use-card-texts.ts';
import { useCompany } from './state/use-company.ts';
import { usePages } from './state/use-pages.ts';
import type { ProjectSource } from './state/use-project-source.tsx';
import { useRulebookEditor } from './state/use-rulebook-editor.ts';
import { LanguageMenu } from './translation/language-menu.tsx';
import { RulebookTranslation } from './translation/rulebook-translation.tsx';
import { useLanguages } from './translation/use-languages.ts';
import { useTranslationPlace } from './translation/use-translation-place.ts';

const NO_PARTS: readonly BookPart[] = [];

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

/** Goes to the first field, and selects what is in it. */
function focusFirst(fields: HTMLElement | null): void {
  const first = fields?.querySelector<HTMLElement>('input, select, textarea, button');
  first?.focus();
  if (first instanceof HTMLInputElement) first.select();
}

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
  const { project, role, translates, details } = useOpenProject();
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
    toFields: () => focusFirst(fields.current),
    takePictures: (into, files) => void insertPictures(project, into, files),
  };
  const [cardTexts, texts] = useCardTexts();
  const used = useRulebookEditor(project, rulebook.id, text, place, host, cardTexts);
  const { editor, state, skipped, lost } = used;
  const company = useCompany(project, rulebook.id, editor, state);

  const doc = useMemo(
    () => toRulebook(state.doc, { title: title || 'Untitled', subtitle, language }),
    [state.doc, title, subtitle, language],
  );
  const languages = useLanguages(project, rulebook.id, doc);
  const { chosen, shown: book } = languages;
  const at = useTranslationPlace(languages, (block) => editor.goTo(block));
  const { parts, layouts } = source;
  const facts = useMemo(
    () => (parts && layouts ? projectFacts(book, parts, layouts) : undefined),
    [book, parts, layouts],
  );
  texts.current = facts?.texts;
  const choices = useMemo(() => choicesOf(source), [source]);
  const pages = usePages(book, style, format, facts);
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
        writing={chosen === undefined}
        chooser={
          <LanguageMenu
            source={language}
            languages={languages}
            onAdd={mayEdit ? () => setShown('language') : undefined}
          />
        }
        onVersions={() => setShown('versions')}
        onSettings={() => setShown('settings')}
        onPublish={() => setShown('publish')}
        onExport={() => setShown('export')}
      />
      <div className={css.writing}>
        {lost && (
          <Problem title={describeError(lost)}>Reload the page; keep a copy of what you wrote last.</Problem>
        )}
        {languages.error && <Problem title={describeError(languages.error)} />}
        {chosen === undefined && (
          <BlockFields editor={editor} state={state} choices={choices} fields={fields} />
        )}
        <div ref={place} className={css.text} lang={language} hidden={chosen !== undefined} />
        {chosen !== undefined && (
          <RulebookTranslation
            key={chosen}
            project={project}
            place={rulebookTranslations(project, rulebook.id)}
            head={{ whole: 'rulebook', id: rulebook.id, title: doc.title, from: language, to: chosen }}
            units={languages.units}
            entries={languages.entries}
            mayEdit={mayEdit || translates.includes(chosen)}
            mayRemove={mayEdit}
            wanted={at.wanted}
            onPlace={(block) => editor.select(block)}
          />
        )}
      </div>
      <SidePane
        project={project}
        rulebook={rulebook.id}
        state={state}
        pages={pages}
        skipped={[...text.skipped, ...skipped]}
        company={company}
        nameOf={nameOf}
        translating={chosen !== undefined}
        translations={languages.findings}
        onTranslation={at.translate}
        onBlock={at.goTo}
        onReplace={mayEdit ? (finding) => replaceFound(project, editor, finding) : undefined}
        noTerms={noTermsOfProse(state.doc)}
        placeName={(one) => noTermPlace(one, doc, facts?.texts ?? [])}
        onNoTerm={mayEdit ? (one, says) => changeNoTerm(editor, one, says) : undefined}
      />
      <RulebookWindows
        shown={shown}
        onClose={() => setShown(undefined)}
        project={project}
        rulebook={rulebook}
        doc={doc}
        editor={editor}
        state={state}
        context={context}
        mayEdit={mayEdit}
        nameOf={nameOf}
        setter={pages.setter}
        source={source}
        languages={languages}
        onBlock={at.goTo}
      />
    </main>
  );
}
