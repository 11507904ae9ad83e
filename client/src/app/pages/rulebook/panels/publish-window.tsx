import { Button, TextInput } from '@mantine/core';
import { Globe } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { RulebookError } from '../../../../core/book/document/error.ts';
import { languageName } from '../../../../core/translation/languages.ts';
import type { Project } from '../../../../data/project/open-project.ts';
import { publish, unpublish } from '../../../../data/rulebooks/publish.ts';
import { readShare } from '../../../../data/rulebooks/read-edition.ts';
import { type Published, readAddress } from '../../../../data/rulebooks/shares.ts';
import { MAX_VERSION_NAME } from '../../../../data/rulebooks/versions.ts';
import { describeError } from '../../../../data/server/messages.ts';
import { isOn, useSite } from '../../../../data/site/site.ts';
import { versionOfPrint } from '../../../../data/versions/of-print.ts';
import { PublicLink } from '../../../../ui/copy/copyable.tsx';
import { dayAndTime } from '../../../../ui/dates.ts';
import { Loading, Problem } from '../../../../ui/page/page.tsx';
import { Popup, PopupActions } from '../../../../ui/popups/popup.tsx';
import { ProgressBar } from '../../../../ui/progress-bar.tsx';
import type { PagesRequest, RulebookSetter } from '../../../../workers/rulebook/rulebook-setter.ts';
import { AccountNeeded } from '../../../trial/account-needed.tsx';
import type { PublishedLanguage } from '../translation/use-languages.ts';
import css from './publish.module.css';

interface PublishProps {
  readonly project: Project;
  /** Id of the rulebook. */
  readonly rulebook: string;
  /** Its public link; empty for none. */
  readonly link: string;
  readonly mayEdit: boolean;
  readonly setter: RulebookSetter | undefined;
  /** The text with all that it shows; `undefined` while the project is loaded. */
  readonly request: () => PagesRequest | undefined;
  /** Languages that it is translated into, and what readers of one get. */
  readonly languages: readonly string[];
  readonly inLanguage: (language: string) => PublishedLanguage;
  /** Goes to a block of the text. */
  readonly onBlock: (block: string) => void;
  readonly onClose: () => void;
}

/** Reason for which something did not work, and the block that has the fault. */
interface Failure {
  readonly words: string;
  readonly block?: string | undefined;
}

const failureOf = (error: unknown): Failure => ({
  words: describeError(error),
  block: error instanceof RulebookError ? error.block : undefined,
});

/** The rulebook on the web: publishing it, and the link that it has. */
export function PublishWindow({ open, ...props }: PublishProps & { open: boolean }) {
  return (
    <Popup open={open} onClose={props.onClose} title="On the web" width={520}>
      {props.project.inBrowser ? (
        <AccountNeeded>To be read on the web, a rulebook has to lie on this server.</AccountNeeded>
      ) : (
        <Publish {...props} />
      )}
    </Popup>
  );
}

/** The publication at a link; `undefined` until it is known, null for none. */
function usePublished(link: string) {
  const [published, setPublished] = useState<Published | null>();
  const [failure, setFailure] = useState<Failure>();
  const [asked, setAsked] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked again after each publication
  useEffect(() => {
    let current = true;
    readShare(link).then(
      (found) => current && setPublished(found ?? null),
      (error: unknown) => current && setFailure(failureOf(error)),
    );
    return () => {
      current = false;
    };
  }, [link, asked]);
  return { published, failure, setFailure, again: () => setAsked((times) => times + 1) };
}

function Publish(props: PublishProps) {
  const { project, rulebook, link, mayEdit, setter, request, languages, inLanguage, onBlock, onClose } =
    props;
  const [without, setWithout] = useState<ReadonlySet<string>>(new Set());
  const on = isOn(useSite(true), 'sharing');
  const { published, failure, setFailure, again } = usePublished(link);
  const [name, setName] = useState('');
  const [progress, setProgress] = useState<{ readonly done: number; readonly total: number }>();
  const [closing, setClosing] = useState(false);
  const abort = useRef<AbortController>(undefined);
  useEffect(() => () => abort.current?.abort(), []);
  const busy = progress !== undefined || closing;
  // Each step of progress draws the window again, and translations are long.
  const readable = useMemo(() => languages.map(inLanguage), [languages, inLanguage]);
  const start = async () => {
    const wanted = request();
    if (!setter || !wanted) return;
    const controller = new AbortController();
    abort.current = controller;
    const { signal } = controller;
    setFailure(undefined);
    setProgress({ done: 0, total: 0 });
    try {
      // A version of the game keeps what readers see, and they are told its name.
      const of = await versionOfPrint(project);
      signal.throwIfAborted();
      // Painting is the first half of the work, storing the second.
      const pictures = await setter.illustrate(wanted, {
        signal,
        onProgress: ({ done, total }) => setProgress({ done, total: 2 * total }),
      });
      const translations = readable
        .filter(({ language }) => !without.has(language))
        .map(({ language, texts }) => ({ language, texts }));
      const text = {
        ...{ book: wanted.doc, facts: wanted.project, pictures, translations, name: name.trim() },
        gameVersion: of?.versionName,
      };
      await publish(project, rulebook, text, {
        signal,
        onProgress: (done, total) => setProgress({ done: total + done, total: 2 * total }),
      });
      setName('');
      again();
    } catch (error) {
      if (!signal.aborted) setFailure(failureOf(error));
    } finally {
      setProgress(undefined);
    }
  };
  const stop = async () => {
    setClosing(true);
    setFailure(undefined);
    try {
      await unpublish(project, rulebook, link);
    } catch (error) {
      setFailure(failureOf(error));
    } finally {
      setClosing(false);
    }
  };
  if (!on) return <p>An admin of this server has switched sharing off: nothing is published while it is.</p>;
  return (
    <>
      {failure && (
        <Problem title={failure.words}>
          {failure.block !== undefined && (
            <Button
              size="compact-sm"
              variant="default"
              onClick={() => {
                onClose();
                onBlock(failure.block ?? '');
              }}
            >
              Show it in the text
            </Button>
          )}
        </Problem>
      )}
      {published === undefined && !failure && <Loading label="Checking what is published" />}
      {published ? (
        <PublishedLink link={link} published={published} />
      ) : (
        <p className={css.lead}>
          <Globe size={17} aria-hidden />
          {mayEdit
            ? 'Anybody with the link can read the rulebook in a browser, also on a phone, without an account. Readers see later changes only after you publish again.'
            : 'This rulebook is not published.'}
        </p>
      )}
      {mayEdit && (
        <TextInput
          label="Name of this edition"
          description="Shown to readers. It may stay empty."
          placeholder="1.0"
          maxLength={MAX_VERSION_NAME}
          disabled={busy}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
      )}
      {mayEdit && languages.length > 0 && (
        <AlsoIn languages={readable} without={without} disabled={busy} onChange={setWithout} />
      )}
      {progress && <ProgressBar label="Publishing" {...progress} />}
      <PopupActions>
        <Button
          variant="subtle"
          color="gray"
          onClick={progress ? () => abort.current?.abort() : onClose}
          disabled={closing}
        >
          {progress ? 'Cancel' : 'Close'}
        </Button>
        {mayEdit && published && (
          <Button
            variant="default"
            disabled={progress !== undefined}
            loading={closing}
            onClick={() => void stop()}
          >
            Stop publishing
          </Button>
        )}
        {mayEdit && (
          <Button disabled={closing || !setter} loading={progress !== undefined} onClick={() => void start()}>
            {published ? 'Publish again' : 'Publish'}
          </Button>
        )}
      </PopupActions>
    </>
  );
}

/** The number of texts for which there is no translation that can be printed, in words. */
const sourceShown = (count: number): string =>
  count === 0 ? '' : `; readers see the source of ${count === 1 ? '1 text' : `${count} texts`}`;

/** Translations that readers can choose. */
function AlsoIn({
  languages,
  without,
  disabled,
  onChange,
}: {
  languages: readonly PublishedLanguage[];
  without: ReadonlySet<string>;
  disabled: boolean;
  onChange: (without: ReadonlySet<string>) => void;
}) {
  return (
    <fieldset className={css.also} disabled={disabled}>
      <legend>Also in</legend>
      {languages.map(({ language, counts: { missing, stale }, unprinted }) => (
        <label key={language}>
          <input
            type="checkbox"
            checked={!without.has(language)}
            onChange={(event) => {
              const next = new Set(without);
              if (event.currentTarget.checked) next.delete(language);
              else next.add(language);
              onChange(next);
            }}
          />
          <span>
            {languageName(language)}
            {missing > 0 && `, ${missing} missing`}
            {stale > 0 && `, ${stale} stale`}
            {sourceShown(missing + unprinted)}
          </span>
        </label>
      ))}
    </fieldset>
  );
}

function PublishedLink({ link, published: { number, name, at } }: { link: string; published: Published }) {
  return (
    <div className={css.published}>
      <p>
        <strong>{name ? `Edition ${number}, ${name}` : `Edition ${number}`}</strong>, published{' '}
        {dayAndTime(at)}.
      </p>
      <PublicLink path={readAddress(link)} />
    </div>
  );
}
