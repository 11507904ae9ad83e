import { Button, TextInput } from '@mantine/core';
import { History, RotateCcw } from 'lucide-react';
import type { EditorState } from 'prosemirror-state';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { compareBlocks } from '../../../../core/book/comparison/compare.ts';
import { blocksOfProse } from '../../../../core/book/prose/convert.ts';
import type { Project } from '../../../../data/project/open-project.ts';
import {
  blocksOfVersion,
  keepVersion,
  MAX_VERSION_NAME,
  nameVersion,
  type RulebookVersion,
  readVersions,
} from '../../../../data/rulebooks/versions.ts';
import { describeError } from '../../../../data/server/messages.ts';
import { dayAndTime } from '../../../../ui/dates.ts';
import detail from '../../../../ui/page/list-and-detail.module.css';
import { Loading, Problem } from '../../../../ui/page/page.tsx';
import { Popup, PopupActions } from '../../../../ui/popups/popup.tsx';
import { toasts } from '../../../../ui/toasts/engine.ts';
import { BlockChanges } from '../../../books/block-changes.tsx';
import type { RulebookEditor } from '../state/rulebook-editor.ts';
import css from './versions.module.css';

interface VersionsProps {
  readonly project: Project;
  /** Id of the rulebook. */
  readonly rulebook: string;
  readonly editor: RulebookEditor;
  readonly state: EditorState;
  readonly mayEdit: boolean;
  readonly nameOf: (uid: string) => string;
  readonly onClose: () => void;
}

/** The text as it was: kept states, their differences from what it is now, and the way back. */
export function VersionsWindow({ open, ...props }: VersionsProps & { open: boolean }) {
  return (
    <Popup open={open} onClose={props.onClose} title="Versions" width={900}>
      <Versions {...props} />
    </Popup>
  );
}

const labelOf = ({ name, number }: RulebookVersion): string => name || `After ${number} changes`;

/** The kept states that were read, and what the last attempt failed at. */
function useVersions(project: Project, rulebook: string) {
  const [versions, setVersions] = useState<readonly RulebookVersion[]>();
  const [more, setMore] = useState(false);
  const [failure, setFailure] = useState<string>();
  const read = useCallback(
    async (before?: number) => {
      try {
        const found = await readVersions(project, rulebook, before);
        setVersions((known) =>
          before === undefined ? found.versions : [...(known ?? []), ...found.versions],
        );
        setMore(found.more);
        setFailure(undefined);
      } catch (error) {
        setFailure(describeError(error));
      }
    },
    [project, rulebook],
  );
  useEffect(() => void read(), [read]);
  /** Names a version that was read: each holds a whole text, which is not read again for that. */
  const rename = async (number: number, name: string) => {
    await nameVersion(project, rulebook, number, name);
    setVersions((known) => known?.map((one) => (one.number === number ? { ...one, name } : one)));
    setFailure(undefined);
  };
  return { versions, more, failure, read, rename, setFailure };
}

function Versions({ project, rulebook, editor, state, mayEdit, nameOf, onClose }: VersionsProps) {
  const { versions, more, failure, read, rename, setFailure } = useVersions(project, rulebook);
  const [name, setName] = useState('');
  const [busy, setBusy] = useState(false);
  const [picked, setPicked] = useState<number>();
  const version = versions?.find(({ number }) => number === picked) ?? versions?.[0];
  const attempt = async (work: () => Promise<unknown>): Promise<boolean> => {
    setBusy(true);
    try {
      await work();
      return true;
    } catch (error) {
      setFailure(describeError(error));
      return false;
    } finally {
      setBusy(false);
    }
  };
  const keep = async () => {
    const kept = await attempt(async () => {
      await editor.sync.whenSaved();
      if (editor.sync.base.number === 0) throw new Error('There is no text to keep yet: write some first.');
      await keepVersion(project, rulebook, editor.sync.base, name.trim());
      await read();
    });
    if (!kept) return;
    setName('');
    setPicked(undefined);
  };
  return (
    <>
      {mayEdit && (
        <form
          className={css.keep}
          onSubmit={(event) => {
            event.preventDefault();
            void keep();
          }}
        >
          <TextInput
            label="Keep the text as it is now"
            placeholder="First playtest"
            maxLength={MAX_VERSION_NAME}
            value={name}
            data-autofocus
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Button type="submit" size="md" loading={busy} disabled={name.trim() === ''}>
            Keep version
          </Button>
        </form>
      )}
      {failure && <Problem title={failure} />}
      {!versions && !failure && <Loading label="Loading versions" />}
      {versions?.length === 0 && (
        <p className={css.none}>
          <History size={16} aria-hidden /> Nothing is kept yet. Every two hundred changes, the text is kept
          by itself.
        </p>
      )}
      {versions && version && (
        <div className={detail.columns}>
          <div>
            <ul className={detail.list} aria-label="Kept versions">
              {versions.map((one) => (
                <li key={one.number}>
                  <button type="button" aria-pressed={one === version} onClick={() => setPicked(one.number)}>
                    <b>{labelOf(one)}</b>
                    <small>
                      {dayAndTime(one.at)}, {nameOf(one.by)}
                    </small>
                  </button>
                </li>
              ))}
            </ul>
            {more && (
              <Button variant="subtle" size="compact-sm" onClick={() => void read(versions.at(-1)?.number)}>
                Earlier versions
              </Button>
            )}
          </div>
          <Comparison
            key={`${version.number} ${version.name}`}
            version={version}
            state={state}
            mayEdit={mayEdit}
            onName={(given) => void attempt(() => rename(version.number, given))}
            onRestore={() => {
              editor.restore(version.text);
              toasts.show(`${labelOf(version)} is restored. Undo brings back what was there.`, {
                type: 'success',
              });
              onClose();
            }}
            onBlock={(block) => {
              onClose();
              editor.goTo(block);
            }}
          />
        </div>
      )}
    </>
  );
}

function Comparison({
  version,
  state,
  mayEdit,
  onName,
  onRestore,
  onBlock,
}: {
  version: RulebookVersion;
  state: EditorState;
  mayEdit: boolean;
  onName: (name: string) => void;
  onRestore: () => void;
  onBlock: (block: string) => void;
}) {
  const [name, setName] = useState(version.name);
  const { doc } = state;
  const compared = useMemo(() => {
    try {
      return { changes: compareBlocks(blocksOfVersion(version), blocksOfProse(doc)) };
    } catch (error) {
      return { unreadable: describeError(error) };
    }
  }, [version, doc]);
  if (compared.unreadable !== undefined) {
    return (
      <Problem title="This version cannot be read.">
        {compared.unreadable} The text is made of its steps and has lost nothing.
      </Problem>
    );
  }
  const rename = () => {
    if (name.trim() !== version.name) onName(name.trim());
  };
  return (
    <section className={css.comparison} aria-label="Since then">
      {mayEdit && (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            rename();
          }}
        >
          <TextInput
            label="Its name"
            placeholder={labelOf({ ...version, name: '' })}
            maxLength={MAX_VERSION_NAME}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            onBlur={rename}
          />
        </form>
      )}
      <h3>Changed since then</h3>
      <div className={css.changes}>
        <BlockChanges changes={compared.changes} none="Nothing: the text is as it was." onBlock={onBlock} />
      </div>
      {mayEdit && (
        <PopupActions>
          <Button
            leftSection={<RotateCcw size={15} aria-hidden />}
            disabled={compared.changes.length === 0}
            onClick={onRestore}
          >
            Restore this version
          </Button>
        </PopupActions>
      )}
    </section>
  );
}
