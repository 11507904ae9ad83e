import { useState } from 'react';
import type { LayoutFont } from '../../core/scene/style/layout-font.ts';
import { isolated } from '../../core/text/names.ts';
import { addCustomFont } from '../../data/fonts/font-files.ts';
import { describeError } from '../../data/server/messages.ts';

/** Result of one added file. */
interface Message {
  readonly kind: 'problem' | 'hint';
  readonly text: string;
}

/** Most files taken at once. */
const MAX_FILES = 20;

/** Brings font files from the computer. */
export function useAddFonts() {
  const [busy, setBusy] = useState(false);
  const [messages, setMessages] = useState<readonly Message[]>([]);
  /** Asks for files and adds them; `choose` gets those that were good, when nothing is to be said of any. */
  const pick = async (choose: (added: readonly LayoutFont[]) => void): Promise<void> => {
    const chosen = await askForFiles();
    if (chosen.length === 0) return;
    setBusy(true);
    const said: Message[] = [];
    const added: LayoutFont[] = [];
    for (const file of chosen.slice(0, MAX_FILES)) {
      try {
        const { info, font } = await addCustomFont(file);
        if (font) added.push(font);
        if (info.restricted) {
          said.push({
            kind: 'hint',
            text: `${isolated(file.name)}: its maker does not allow it in documents. See that your licence does.`,
          });
        }
      } catch (error) {
        const own = error instanceof Error && error.name === 'FontFileError';
        said.push({ kind: 'problem', text: own ? error.message : `${file.name}: ${describeError(error)}` });
      }
    }
    if (chosen.length > MAX_FILES) {
      said.push({
        kind: 'problem',
        text: `${chosen.length - MAX_FILES} files were left out: ${MAX_FILES} at a time.`,
      });
    }
    setMessages(said);
    setBusy(false);
    if (added.length > 0 && said.length === 0) choose(added);
  };
  return { busy, messages, pick, forget: () => setMessages([]) };
}

function askForFiles(): Promise<readonly File[]> {
  return new Promise((resolve) => {
    const input = document.createElement('input');
    input.type = 'file';
    input.multiple = true;
    input.accept = '.woff2,.ttf,.otf';
    input.onchange = () => resolve([...(input.files ?? [])]);
    input.oncancel = () => resolve([]);
    input.click();
  });
}
