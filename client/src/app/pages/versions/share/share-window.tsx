import { Button } from '@mantine/core';
import { Globe } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { ProjectProgress } from '../../../../data/project/transfer/read-project.ts';
import { readAddress } from '../../../../data/rulebooks/shares.ts';
import { describeError } from '../../../../data/server/messages.ts';
import { isOn, useSite } from '../../../../data/site/site.ts';
import { PublicLink } from '../../../../ui/copy/copyable.tsx';
import { Problem } from '../../../../ui/page/page.tsx';
import { Popup, PopupActions } from '../../../../ui/popups/popup.tsx';
import { ProgressBar } from '../../../../ui/progress-bar.tsx';
import { useOpenProject } from '../../project/project-gate.tsx';
import type { Version } from '../timeline.tsx';
import { versionName } from '../version-words.ts';
import css from '../versions.module.css';

/** The public link of a version: making it, and withdrawing it. */
export function ShareWindow({ version, onClose }: { version: Version | undefined; onClose: () => void }) {
  const [busy, setBusy] = useState(false);
  return (
    <Popup
      open={version !== undefined}
      onClose={onClose}
      locked={busy}
      title={version ? `Link of ${versionName(version)}` : 'Link'}
      width={520}
    >
      {version && <Share version={version} busy={busy} setBusy={setBusy} onClose={onClose} />}
    </Popup>
  );
}

interface ShareProps {
  readonly version: Version;
  readonly busy: boolean;
  readonly setBusy: (busy: boolean) => void;
  readonly onClose: () => void;
}

function Share({ version, busy, setBusy, onClose }: ShareProps) {
  const on = isOn(useSite(true), 'sharing');
  const { progress, failure, make, withdraw, cancel } = useSharing(version, setBusy);
  if (!on) return <p>An admin of this server has switched sharing off: no link opens while it is.</p>;
  return (
    <>
      {failure && <Problem title={failure} />}
      {version.link ? (
        <PublicLink path={readAddress(version.link)} />
      ) : (
        <p className={css.shareLead}>
          <Globe size={17} aria-hidden />
          Anybody with the link sees the cards, boards and rulebooks of this version in a browser, without an
          account. Nobody can change anything there, or see notes, hidden columns and what comes later.
        </p>
      )}
      {progress && (
        <ProgressBar label={progress.what || 'Making the link'} done={progress.done} total={progress.total} />
      )}
      <PopupActions>
        <Button
          variant="subtle"
          color="gray"
          disabled={busy && !progress}
          onClick={progress ? cancel : onClose}
        >
          {progress ? 'Cancel' : 'Close'}
        </Button>
        {version.link ? (
          <Button variant="default" loading={busy} onClick={withdraw}>
            Withdraw the link
          </Button>
        ) : (
          <Button loading={busy} onClick={make}>
            Make a link
          </Button>
        )}
      </PopupActions>
    </>
  );
}

/** Makes and withdraws the link; the version's document says which it has. */
function useSharing(version: Version, setBusy: (busy: boolean) => void) {
  const { project, details } = useOpenProject();
  const [progress, setProgress] = useState<ProjectProgress>();
  const [failure, setFailure] = useState<string>();
  const abort = useRef<AbortController>(undefined);
  useEffect(() => () => abort.current?.abort(), []);
  const attempt = async (work: (signal: AbortSignal) => Promise<unknown>) => {
    const controller = new AbortController();
    abort.current = controller;
    setFailure(undefined);
    setBusy(true);
    try {
      await work(controller.signal);
    } catch (error) {
      if (!controller.signal.aborted) setFailure(describeError(error));
    } finally {
      setProgress(undefined);
      setBusy(false);
    }
  };
  const make = () =>
    void attempt(async (signal) => {
      setProgress({ done: 0, total: 0, what: 'Reading the version' });
      const { makeLink } = await import('./make-link.ts');
      await makeLink(project, details.name, version, { signal, onProgress: setProgress });
    });
  const withdraw = () =>
    void attempt(async () => {
      const { withdrawVersion } = await import('../../../../data/versions/share/publish-version.ts');
      await withdrawVersion(project, version);
    });
  return { progress, failure, make, withdraw, cancel: () => abort.current?.abort() };
}
