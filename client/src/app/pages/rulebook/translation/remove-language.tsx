import { languageName } from '../../../../core/book/translation/languages.ts';
import type { Project } from '../../../../data/project/open-project.ts';
import { removeLanguage, restoreLanguage } from '../../../../data/rulebooks/translations.ts';
import { describeError } from '../../../../data/server/messages.ts';
import { Confirm } from '../../../../ui/confirm.tsx';
import { toasts } from '../../../../ui/toasts/engine.ts';
import { offerUndo } from '../../../../ui/toasts/offer-undo.ts';

/** Asks before a whole translation is removed, which can be undone for a moment. */
export function RemoveLanguage({
  open,
  project,
  rulebook,
  language,
  onClose,
}: {
  open: boolean;
  project: Project;
  rulebook: string;
  language: string;
  onClose: () => void;
}) {
  const name = languageName(language);
  return (
    <Confirm
      open={open}
      title={`Remove ${name}?`}
      action="Remove"
      describe={describeError}
      run={async () => {
        const entries = await removeLanguage(project, rulebook, language);
        const restore = (): Promise<unknown> =>
          restoreLanguage(project, rulebook, language, entries).catch((error: unknown) =>
            toasts.show(`${name} is not complete: ${describeError(error)}`, {
              type: 'error',
              // It stays until it is closed: nothing else has the texts.
              autoCloseTime: 0,
              actions: [{ buttonText: 'Try again', function: () => void restore() }],
            }),
          );
        offerUndo(`${name} is removed.`, () => void restore());
      }}
      onClose={onClose}
    >
      All its translations are removed. The text in its own language stays as it is. To keep a copy, export it
      as XLIFF first.
    </Confirm>
  );
}
