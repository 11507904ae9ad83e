import { Button, NativeSelect, NumberInput } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { writePlainText } from '../../../../core/book/edition/plain-text.ts';
import { writeMarkdown } from '../../../../core/book/markdown/write.ts';
import { safeName } from '../../../../core/imposition/images/file-names.ts';
import { languageName } from '../../../../core/translation/languages.ts';
import { textFacts } from '../../../../data/rulebooks/project-facts.ts';
import { describeError } from '../../../../data/server/messages.ts';
import { offerFile } from '../../../../ui/download.ts';
import { Problem } from '../../../../ui/page/page.tsx';
import { Popup, PopupActions } from '../../../../ui/popups/popup.tsx';
import { ProgressBar } from '../../../../ui/progress-bar.tsx';
import type { OutputKind } from '../../../../workers/rulebook/rulebook-protocol.ts';
import type { PagesRequest, RulebookSetter } from '../../../../workers/rulebook/rulebook-setter.ts';
import css from '../rulebook.module.css';

/** Texts are made at once, without setting a page. */
type TextKind = 'markdown' | 'text';
type Kind = OutputKind | TextKind;

const isText = (kind: Kind): kind is TextKind => kind === 'markdown' || kind === 'text';

/** A text file: its content, its type and the end of its name. */
function textFile({ doc, project }: PagesRequest, kind: TextKind) {
  if (kind === 'markdown') return { content: writeMarkdown(doc), type: 'text/markdown', ending: 'md' };
  return { content: writePlainText(doc, textFacts(project)), type: 'text/plain', ending: 'txt' };
}

const KINDS: readonly { readonly kind: Kind; readonly label: string; readonly hint: string }[] = [
  {
    kind: 'pdf',
    label: 'PDF to read',
    hint: 'Pages in order, with bookmarks, links and tags for screen readers.',
  },
  {
    kind: 'booklet',
    label: 'Booklet to print',
    hint: 'Two pages on each side of a sheet, to be folded and stapled.',
  },
  { kind: 'zine', label: 'Zine of one sheet', hint: 'Eight pages on one side, slit and folded.' },
  {
    kind: 'markdown',
    label: 'Markdown',
    hint: 'The text for other programs; a new rulebook can begin with it again.',
  },
  { kind: 'text', label: 'Plain text', hint: 'Words only, for mail and notebooks.' },
];

type Work =
  | { readonly at: 'idle' | 'cancelled' }
  | { readonly at: 'running'; readonly done: number; readonly total: number }
  | { readonly at: 'done'; readonly what: string; readonly url: string; readonly name: string }
  | { readonly at: 'failed'; readonly why: string };

/** Files to take away: a PDF to read, a booklet, a zine, Markdown, plain text. */
export function ExportWindow({
  open,
  setter,
  ...props
}: ExportProps & {
  open: boolean;
  setter: RulebookSetter | undefined;
}) {
  return (
    <Popup open={open} onClose={props.onClose} title="Export" width={500}>
      {setter && <Export setter={setter} {...props} />}
    </Popup>
  );
}

interface ExportProps {
  /** Language of the text, those that it is translated into, and the one that is shown, if it is one of these. */
  readonly source: string;
  readonly languages: readonly string[];
  readonly chosen: string | undefined;
  /** The text in its own language or another, with its project; nothing until that is known. */
  readonly request: (language: string | undefined) => PagesRequest | undefined;
  readonly onClose: () => void;
}

function useOutput(setter: RulebookSetter) {
  const [work, setWork] = useState<Work>({ at: 'idle' });
  const abort = useRef<AbortController>(undefined);
  const url = useRef<string>(undefined);
  useEffect(
    () => () => {
      abort.current?.abort();
      if (url.current) URL.revokeObjectURL(url.current);
    },
    [],
  );
  const offer = (content: BlobPart, type: string, name: string, what: string) => {
    if (url.current) URL.revokeObjectURL(url.current);
    url.current = URL.createObjectURL(new Blob([content], { type }));
    offerFile(url.current, name);
    setWork({ at: 'done', what, url: url.current, name });
  };
  const start = async (
    request: PagesRequest,
    kind: Kind,
    language: string | undefined,
    booklet: { signatureSheets: number; thickness: number; flip: 'long-edge' | 'short-edge' },
  ) => {
    const controller = new AbortController();
    abort.current = controller;
    const name = safeName(request.doc.title) + (language === undefined ? '' : ` ${language}`);
    if (isText(kind)) {
      const { content, type, ending } = textFile(request, kind);
      offer(content, type, `${name}.${ending}`, 'The text is');
      return;
    }
    setWork({ at: 'running', done: 0, total: 0 });
    try {
      const { bytes, pages } = await setter.write(
        { ...request, kind, booklet },
        { signal: controller.signal, onProgress: (progress) => setWork({ at: 'running', ...progress }) },
      );
      const words = kind === 'pdf' ? '' : ` ${kind}`;
      const what = pages === 1 ? '1 page is' : `${pages} pages are`;
      offer(bytes.slice(), 'application/pdf', `${name}${words}.pdf`, what);
    } catch (error) {
      setWork(controller.signal.aborted ? { at: 'cancelled' } : { at: 'failed', why: describeError(error) });
    }
  };
  return { work, start, cancel: () => abort.current?.abort() };
}

function Export({
  setter,
  source,
  languages,
  chosen,
  request,
  onClose,
}: ExportProps & {
  setter: RulebookSetter;
}) {
  const [language, setLanguage] = useState(chosen);
  const [kind, setKind] = useState<Kind>('pdf');
  const [sheets, setSheets] = useState(0);
  const [thickness, setThickness] = useState(0.1);
  const [flip, setFlip] = useState<'long-edge' | 'short-edge'>('short-edge');
  const { work, start, cancel } = useOutput(setter);
  const running = work.at === 'running';
  return (
    <>
      <fieldset className={css.kinds} disabled={running}>
        <legend>File</legend>
        {KINDS.map((one) => (
          <label key={one.kind}>
            <input
              type="radio"
              name="kind"
              checked={kind === one.kind}
              data-autofocus={kind === one.kind || undefined}
              onChange={() => setKind(one.kind)}
            />
            <span>
              <strong>{one.label}</strong>
              <span>{one.hint}</span>
            </span>
          </label>
        ))}
      </fieldset>
      {languages.length > 0 && (
        <NativeSelect
          label="Language"
          mb="sm"
          value={language ?? ''}
          data={[
            { value: '', label: `${languageName(source)} (the text itself)` },
            ...languages.map((tag) => ({ value: tag, label: languageName(tag) })),
          ]}
          disabled={running}
          onChange={(event) => setLanguage(event.currentTarget.value || undefined)}
        />
      )}
      {kind === 'booklet' && (
        <div className={css.booklet}>
          <NumberInput
            label="Sheets folded together"
            description="With 0, all sheets are folded together."
            min={0}
            max={40}
            value={sheets}
            onChange={(value) => setSheets(Math.max(0, Math.min(40, Math.round(Number(value) || 0))))}
          />
          <NumberInput
            label="Paper, in millimetres"
            description="Inner pages move towards the fold by this much."
            min={0}
            max={1}
            step={0.01}
            decimalScale={2}
            value={thickness}
            onChange={(value) => setThickness(Math.max(0, Math.min(1, Number(value) || 0)))}
          />
          <NativeSelect
            label="The printer turns the sheet"
            value={flip}
            data={[
              { value: 'short-edge', label: 'over its short edge' },
              { value: 'long-edge', label: 'over its long edge' },
            ]}
            onChange={(event) => setFlip(event.currentTarget.value as typeof flip)}
          />
        </div>
      )}
      {running && <ProgressBar label="Making the file" done={work.done} total={work.total} />}
      {work.at === 'failed' && <Problem title="The file could not be made.">{work.why}</Problem>}
      {work.at === 'cancelled' && <p role="status">Cancelled. No file was made.</p>}
      {work.at === 'done' && (
        <p role="status">
          {work.what} in{' '}
          <a href={work.url} download={work.name}>
            {work.name}
          </a>
          . It is among your downloads.
        </p>
      )}
      <PopupActions>
        <Button variant="subtle" color="gray" onClick={running ? cancel : onClose}>
          {running ? 'Cancel' : 'Close'}
        </Button>
        <Button
          loading={running}
          onClick={() => {
            const text = request(language);
            if (text) void start(text, kind, language, { signatureSheets: sheets, thickness, flip });
          }}
        >
          Make the file
        </Button>
      </PopupActions>
    </>
  );
}
