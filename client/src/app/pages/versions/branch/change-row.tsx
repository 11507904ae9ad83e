import { Checkbox } from '@mantine/core';
import { shortened } from '../../../../core/text/cut-text.ts';
import type { BranchAct, BranchChange } from '../../../../core/versions/branch-changes.ts';
import { Words } from '../details/words.tsx';
import css from './branch.module.css';

/** Longest text shown of each side, in characters. */
const MAX_SHOWN = 600;

const shown = (text = ''): string => shortened(text, MAX_SHOWN);

/** A change of a branch, to be chosen; where the project has changed it too, both sides. */
export function ChangeRow({
  change: { name, what, base, theirs, mine, conflict, act },
  chosen,
  mayEdit,
  onChoose,
}: {
  change: BranchChange;
  chosen: boolean;
  mayEdit: boolean;
  onChoose: (chosen: boolean) => void;
}) {
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
      {conflict ? (
        <dl className={css.sides}>
          <div>
            <dt>In the project</dt>
            <dd>
              <Value kind={act.kind} base={base} value={mine} />
            </dd>
          </div>
          <div>
            <dt>In the branch</dt>
            <dd>
              <Value kind={act.kind} base={base} value={theirs} />
            </dd>
          </div>
        </dl>
      ) : (
        <p className={css.words}>
          {act.kind === 'layout' ? (
            <Value kind={act.kind} base={base} value={theirs} />
          ) : (
            <Words before={shown(base)} after={shown(theirs)} />
          )}
        </p>
      )}
    </li>
  );
}

/** A side of a conflict, word by word; of a layout, its zones that changed. */
function Value({
  kind,
  base,
  value,
}: {
  kind: BranchAct['kind'];
  base: string | undefined;
  value: string | undefined;
}) {
  if (value === undefined) return <i>Deleted</i>;
  if (kind === 'layout') return <>Changed: {shown(value)}</>;
  return <Words before={shown(base)} after={shown(value)} />;
}
