import type { EditorState } from 'prosemirror-state';
import type { Rulebook } from '../../../../core/book/document/schema.ts';
import type { RulebookDocument, WithId } from '../../../../data/documents/documents.ts';
import type { Project } from '../../../../data/project/open-project.ts';
import { projectFacts } from '../../../../data/rulebooks/project-facts.ts';
import { rulebookTranslations } from '../../../../data/translations/translation-place.ts';
import { ShortcutSheet } from '../../../../ui/commands/shortcut-sheet.tsx';
import { Popup } from '../../../../ui/popups/popup.tsx';
import type { RulebookSetter } from '../../../../workers/rulebook/rulebook-setter.ts';
import { AddLanguage } from '../../../translation/add-language.tsx';
import { COMMANDS, type RulebookContext } from '../commands/commands.ts';
import type { RulebookEditor } from '../state/rulebook-editor.ts';
import type { ProjectSource } from '../state/use-project-source.tsx';
import type { Languages } from '../translation/use-languages.ts';
import { ExportWindow } from './export-window.tsx';
import { FileWindow } from './file-window.tsx';
import { InsertWindow } from './insert-window.tsx';
import { PublishWindow } from './publish-window.tsx';
import { SettingsWindow } from './settings-window.tsx';
import { VersionsWindow } from './versions-window.tsx';

/** Windows of the rulebook maker. */
export type OpenWindow =
  | 'insert'
  | 'file'
  | 'shortcuts'
  | 'settings'
  | 'export'
  | 'versions'
  | 'publish'
  | 'language';

const NO_LANGUAGES: readonly string[] = [];

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

/** The windows of the rulebook maker: at most one is open. */
export function RulebookWindows({
  shown,
  onClose,
  project,
  rulebook,
  doc,
  editor,
  state,
  context,
  mayEdit,
  nameOf,
  setter,
  source: { parts, layouts },
  languages,
  onBlock,
}: {
  shown: OpenWindow | undefined;
  onClose: () => void;
  project: Project;
  rulebook: WithId<RulebookDocument>;
  /** The text in its own language. */
  doc: Rulebook;
  editor: RulebookEditor;
  state: EditorState;
  context: RulebookContext | undefined;
  mayEdit: boolean;
  nameOf: (uid: string) => string;
  setter: RulebookSetter | undefined;
  source: ProjectSource;
  languages: Languages;
  onBlock: (block: string) => void;
}) {
  const { id, language, style, format, link } = rulebook;
  /** All that a text is set with, in one of its languages. */
  const request = (book: Rulebook, withAll = false) =>
    parts && layouts && { doc: book, style, format, project: projectFacts(book, parts, layouts, withAll) };
  return (
    <>
      <InsertWindow open={shown === 'insert'} context={context} onClose={onClose} />
      <FileWindow open={shown === 'file'} project={project} editor={editor} onClose={onClose} />
      <SettingsWindow
        open={shown === 'settings'}
        project={project}
        rulebook={rulebook}
        translations={languages.all ?? NO_LANGUAGES}
        onClose={onClose}
      />
      <VersionsWindow
        open={shown === 'versions'}
        project={project}
        rulebook={id}
        editor={editor}
        state={state}
        mayEdit={mayEdit}
        nameOf={nameOf}
        onClose={onClose}
      />
      <PublishWindow
        open={shown === 'publish'}
        project={project}
        rulebook={id}
        link={link}
        mayEdit={mayEdit}
        setter={setter}
        request={() => request(doc, true)}
        languages={languages.all ?? NO_LANGUAGES}
        inLanguage={languages.published}
        onBlock={onBlock}
        onClose={onClose}
      />
      <AddLanguage
        open={shown === 'language'}
        place={rulebookTranslations(project, id)}
        source={language}
        known={languages.all ?? NO_LANGUAGES}
        onAdded={languages.choose}
        onClose={onClose}
      />
      <ExportWindow
        open={shown === 'export'}
        setter={setter}
        source={language}
        languages={languages.all ?? NO_LANGUAGES}
        chosen={languages.chosen}
        request={(tag) => request(tag === undefined ? doc : languages.inLanguage(tag))}
        onClose={onClose}
      />
      <Popup open={shown === 'shortcuts'} onClose={onClose} title="Keyboard shortcuts" width={640}>
        <ShortcutSheet commands={COMMANDS} notes={NOTES} />
      </Popup>
    </>
  );
}
