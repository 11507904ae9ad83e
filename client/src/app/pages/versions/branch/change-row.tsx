import { Checkbox } from '@mantine/core';
import { isStoredHere } from '../../../../core/stored-file.ts';
import { shortened } from '../../../../core/text/cut-text.ts';
import type { BranchAct, BranchChange, ChangedPart } from '../../../../core/versions/branch/change.ts';
import { thumbnailUrl } from '../../../../data/images/schema.ts';
import { Words } from '../details/words.tsx';
import css from './branch.module.css';

/** Longest text shown of each side, in characters. */
const MAX_SHOWN = 600;
/** Longer side of a picture, in CSS pixels, on a dense screen. */
const PICTURE_PX = 256;

const shown = (text = ''): string => shortened(text, MAX_SHOWN);

/** Changes of these are told by the names of what changed. */
const isTold = (kind: BranchAct['kind']): boolean =>
  ['layout', 'newLayout', 'removeLayout', 'image', 'newImage', 'removeImage', 'preset'].includes(kind);

/** A change of a branch, to be chosen; where the project has changed it too, both sides. */
export function ChangeRow({
  change,
  chosen,
  mayEdit,
  onChoose,
}: {
  change: BranchChange;
  chosen: boolean;
  mayEdit: boolean;
  onChoose: (chosen: boolean) => void;
}) {
  const { name, what, conflict, pictures } = change;
  return (
    <li className={css.change} data-conflict={conflict || undefined}>
      <Checkbox
        checked={chosen}
        disabled={!mayEdit}
        onChange={(event) => onChoose(event.currentTarget.checked)}
        label={
          <>
            <b>{name}</b> <span className={css.what}>{what}</span>
          </>
        }
      />
      {conflict || pictures ? (
        <dl className={css.sides}>
          <Side title="In the project" change={change} side="mine" />
          <Side title="In the branch" change={change} side="theirs" />
        </dl>
      ) : (
        <p className={css.words}>
          <Value change={change} side="theirs" />
        </p>
      )}
    </li>
  );
}

type Named = 'mine' | 'theirs';

function Side({ title, change, side }: { title: string; change: BranchChange; side: Named }) {
  const url = change.pictures?.[side] ?? '';
  return (
    <div>
      <dt>{title}</dt>
      <dd>
        {/* Documents name addresses, and people write documents. */}
        {url !== '' && isStoredHere(url) && (
          <img
            className={css.picture}
            src={thumbnailUrl(url, PICTURE_PX)}
            alt={`${change.name}, ${title.toLowerCase()}`}
          />
        )}
        <Value change={change} side={side} />
      </dd>
    </div>
  );
}

/** A side of a change, word by word; of a layout or a picture, what of it changed. */
function Value({ change, side }: { change: BranchChange; side: Named }) {
  const { base, parts, act, [side]: value } = change;
  if (value === undefined) return <i>{base === undefined ? 'Not there' : 'Deleted'}</i>;
  if (parts && parts.length > 0) return <Parts parts={parts} />;
  if (isTold(act.kind)) return value === '' ? null : <>Changed: {shown(value)}</>;
  return <Words before={shown(base)} after={shown(value)} />;
}

/** Cells and other fields that one side changed on a card that the other deleted. */
function Parts({ parts }: { parts: readonly ChangedPart[] }) {
  return (
    <ul className={css.parts}>
      {parts.map(({ what, before, after }) => (
        <li key={what}>
          <span className={css.what}>{what}:</span> <Words before={shown(before)} after={shown(after)} />
        </li>
      ))}
    </ul>
  );
}
