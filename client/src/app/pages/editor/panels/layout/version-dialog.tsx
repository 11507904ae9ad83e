import { Button, TextInput } from '@mantine/core';
import type { DocumentReference } from '@sdk/firestore';
import { History, RotateCcw } from 'lucide-react';
import { useMemo, useState } from 'react';
import { type Difference, layoutDifferences } from '../../../../../core/scene/changes/diff.ts';
import type { Layout } from '../../../../../core/scene/layout.ts';
import { type LayoutVersion, MAX_NAME_LENGTH, type WithId } from '../../../../../data/documents/documents.ts';
import { keepVersion, nameVersion } from '../../../../../data/layouts/layouts.ts';
import { useLayoutVersions } from '../../../../../data/project/queries.ts';
import { describeError } from '../../../../../data/server/messages.ts';
import { dayAndTime } from '../../../../../ui/dates.ts';
import detail from '../../../../../ui/page/list-and-detail.module.css';
import { Loading, Problem } from '../../../../../ui/page/page.tsx';
import { Popup, PopupActions } from '../../../../../ui/popups/popup.tsx';
import { toasts } from '../../../../../ui/toasts/engine.ts';
import { tellFailure } from '../../../../shell/tell-failure.ts';
import { LayoutThumbnail } from '../../../layouts/layout-thumbnail.tsx';
import type { EditorModel } from '../../state/editor-store.ts';
import css from './dialogs.module.css';

const THUMBNAIL_PX = 250;
/** Most differences listed. */
const MAX_LISTED = 30;

const WHAT: Readonly<Record<Difference['what'], string>> = {
  added: 'New',
  removed: 'Gone',
  changed: 'Changed',
};

/** Properties whose own names say little. */
const WORDS: Readonly<Record<string, string>> = {
  w: 'width',
  h: 'height',
  x: 'place across',
  y: 'place down',
  stroke: 'line',
  bindings: 'what drives it',
  clipPath: 'what it is cut to',
  visibleIf: 'when it is shown',
  hideIfEmpty: 'when it is shown',
  fit: 'how it fits',
  minSize: 'smallest type',
  style: 'type',
};

const timeOf = (at: number): string => (at === 0 ? 'Just now' : dayAndTime(at));

/** Differences by zone, in words. */
export function Differences({ list, none }: { list: readonly Difference[]; none: string }) {
  if (list.length === 0) return <p className={css.hint}>{none}</p>;
  return (
    <ul className={css.differences} aria-label="Differences">
      {list.slice(0, MAX_LISTED).map(({ what, id, name, properties }) => (
        <li key={`${what} ${id}`} data-what={what}>
          <b>{WHAT[what]}</b> {name}
          {properties.length > 0 && (
            <small>{[...new Set(properties.map((one) => WORDS[one] ?? one))].join(', ')}</small>
          )}
        </li>
      ))}
      {list.length > MAX_LISTED && <li>and {list.length - MAX_LISTED} more</li>}
    </ul>
  );
}

/** Two states of a layout beside each other. */
export function BeforeAndAfter({
  before,
  after,
  cells,
  labels,
}: {
  before: Layout;
  after: Layout;
  cells: Readonly<Record<string, string>> | undefined;
  labels: readonly [string, string];
}) {
  return (
    <div className={css.pictures}>
      {[before, after].map((layout, at) => (
        <figure key={labels[at]}>
          <LayoutThumbnail layout={layout} size={THUMBNAIL_PX} cells={cells} />
          <figcaption>{labels[at]}</figcaption>
        </figure>
      ))}
    </div>
  );
}

/** Takes a whole document over, as one act that can be undone. */
export function takeOver(model: EditorModel, scene: Layout): void {
  // A layout is that of all languages.
  model.showLanguage(null);
  model.act((draft) => void Object.assign(draft, structuredClone(scene)), { select: null });
}

/** The layout as it was: kept states with names and without, what differs, and the way back. */
export function VersionDialog({
  layout,
  model,
  cells,
  onClose,
}: {
  layout: DocumentReference;
  model: EditorModel;
  cells: Readonly<Record<string, string>>;
  onClose: () => void;
}) {
  const { data, error } = useLayoutVersions(layout);
  const [name, setName] = useState('');
  const [busy, setBusy] = useState(false);
  const [picked, setPicked] = useState<string>();
  const scene = model.state.document;
  const versions = data?.items ?? [];
  const version = versions.find(({ id }) => id === picked) ?? versions[0];
  const differences = useMemo(
    () => (version ? layoutDifferences(version.scene, scene) : []),
    [version, scene],
  );
  const keep = () => {
    setBusy(true);
    keepVersion(layout, scene, name)
      .then(() => {
        setName('');
        setPicked(undefined);
      }, tellFailure)
      .finally(() => setBusy(false));
  };
  return (
    <Popup open onClose={onClose} title="Versions" width={860}>
      <form
        className={css.keep}
        onSubmit={(event) => {
          event.preventDefault();
          keep();
        }}
      >
        <TextInput
          size="xs"
          label="Keep it as it is now"
          placeholder="First playtest"
          maxLength={MAX_NAME_LENGTH}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Button type="submit" size="xs" loading={busy} disabled={name.trim() === ''}>
          Keep version
        </Button>
      </form>
      {error && <Problem title={describeError(error)} />}
      {!data && !error && <Loading label="Loading versions" />}
      {data && versions.length === 0 && (
        <p className={css.hint}>
          <History size={16} aria-hidden /> Nothing is kept yet. A layout that has rested for an hour is kept
          by itself before it is changed again.
        </p>
      )}
      {version && (
        <div className={detail.columns}>
          <ul className={detail.list} aria-label="Kept versions">
            {versions.map((one) => (
              <li key={one.id}>
                <button type="button" aria-pressed={one === version} onClick={() => setPicked(one.id)}>
                  <b>{one.name || 'Kept by itself'}</b>
                  <small>{timeOf(one.at)}</small>
                </button>
              </li>
            ))}
          </ul>
          <Comparison
            key={version.id}
            layout={layout}
            version={version}
            scene={scene}
            cells={cells}
            differences={differences}
            onRestore={() => {
              takeOver(model, version.scene);
              toasts.show('Restored. Undo brings back what was there.', { type: 'success' });
              onClose();
            }}
          />
        </div>
      )}
    </Popup>
  );
}

function Comparison({
  layout,
  version,
  scene,
  cells,
  differences,
  onRestore,
}: {
  layout: DocumentReference;
  version: WithId<LayoutVersion>;
  scene: Layout;
  cells: Readonly<Record<string, string>>;
  differences: readonly Difference[];
  onRestore: () => void;
}) {
  const [name, setName] = useState(version.name);
  return (
    <div className={css.comparison}>
      <BeforeAndAfter before={version.scene} after={scene} cells={cells} labels={['Then', 'Now']} />
      <TextInput
        size="xs"
        label="Its name"
        placeholder="Kept by itself"
        maxLength={MAX_NAME_LENGTH}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        onBlur={() => {
          if (name.trim() !== version.name) nameVersion(layout, version.id, name).catch(tellFailure);
        }}
      />
      <Differences list={differences} none="It is as the layout is now." />
      <PopupActions>
        <Button
          leftSection={<RotateCcw size={15} aria-hidden />}
          disabled={differences.length === 0}
          onClick={onRestore}
        >
          Restore this version
        </Button>
      </PopupActions>
    </div>
  );
}
