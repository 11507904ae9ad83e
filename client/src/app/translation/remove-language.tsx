import { languageName } from '../../core/translation/languages.ts';
import { describeError } from '../../data/server/messages.ts';
import type { TranslationPlace } from '../../data/translations/translation-place.ts';
import { removeLanguage, restoreLanguage } from '../../data/translations/translations.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { toasts } from '../../ui/toasts/engine.ts';
import { offerUndo } from '../../ui/toasts/offer-undo.ts';

/** Asks before a whole translation is removed, which can be undone for a moment. */
export function RemoveLanguage({
  open,
  place,
  language,
  onClose,
  onRemoved,
}: {
  open: boolean;
  place: TranslationPlace;
  language: string;
  onClose: () => void;
  onRemoved?: (() => void) | undefined;
}) {
  const name = languageName(language);
  return (
    <Confirm
      open={open}
      title={`Remove ${name}?`}
      action="Remove"
      describe={describeError}
      run={async () => {
        const entries = await removeLanguage(place, language);
        onRemoved?.();
        const restore = (): Promise<unknown> =>
          restoreLanguage(place, language, entries).catch((error: unknown) =>
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
