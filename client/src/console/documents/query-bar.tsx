import { Button } from '@mantine/core';
import { ArrowDownUp, Filter, Play, X } from 'lucide-react';
import { useId, useState } from 'react';
import { CopyButton, IconButton } from '../parts/small.tsx';
import css from './documents.module.css';
import {
  type BuiltQuery,
  type Condition,
  EVERYTHING,
  isEverything,
  OPERATORS,
  type Operator,
  toCode,
} from './query.ts';
import { KINDS, type Kind } from './values.ts';

const COMPARABLE = KINDS.filter((kind) => kind !== 'map' && kind !== 'vector');

const EMPTY: Condition = { field: '', op: 'EQUAL', kind: 'string', text: '' };

function codeOf(built: BuiltQuery, collection: string, root: string): string | undefined {
  try {
    return toCode(built, collection, root);
  } catch {
    return undefined;
  }
}

function ConditionRow({
  condition,
  list,
  onChange,
  onRemove,
}: {
  condition: Condition;
  list: string;
  onChange: (condition: Condition) => void;
  onRemove: () => void;
}) {
  const { field, op, kind, text } = condition;
  return (
    <div className={css.condition}>
      <input
        aria-label="Field"
        placeholder="field"
        list={list}
        spellCheck={false}
        value={field}
        onChange={(event) => onChange({ ...condition, field: event.currentTarget.value })}
      />
      <select
        aria-label="Comparison"
        value={op}
        onChange={(event) => onChange({ ...condition, op: event.currentTarget.value as Operator })}
      >
        {Object.entries(OPERATORS).map(([name, shown]) => (
          <option key={name} value={name}>
            {shown}
          </option>
        ))}
      </select>
      <select
        aria-label="Kind of value"
        value={kind}
        onChange={(event) => onChange({ ...condition, kind: event.currentTarget.value as Kind })}
      >
        {COMPARABLE.map((one) => (
          <option key={one}>{one}</option>
        ))}
      </select>
      <input
        aria-label="Value"
        placeholder={kind === 'null' ? 'null' : 'value'}
        disabled={kind === 'null'}
        spellCheck={false}
        value={kind === 'null' ? '' : text}
        onChange={(event) => onChange({ ...condition, text: event.currentTarget.value })}
      />
      <IconButton label="Remove this condition" onClick={onRemove}>
        <X size={14} aria-hidden />
      </IconButton>
    </div>
  );
}

/** Puts a query together; runs it with Enter. */
export function QueryBar({
  built,
  onRun,
  fields,
  collection,
  root,
}: {
  built: BuiltQuery;
  onRun: (built: BuiltQuery) => void;
  fields: readonly string[];
  collection: string;
  root: string;
}) {
  const [draft, setDraft] = useState(built);
  const list = useId();
  const code = codeOf(draft, collection, root);
  const change = (at: number, next: Condition | undefined) =>
    setDraft({ ...draft, conditions: draft.conditions.flatMap((old, i) => (i === at ? (next ?? []) : old)) });
  const open = !isEverything(draft);
  const clear = () => {
    setDraft(EVERYTHING);
    onRun(EVERYTHING);
  };
  return (
    <form
      className={css.query}
      aria-label="Query"
      onSubmit={(event) => {
        event.preventDefault();
        onRun(draft);
      }}
    >
      <datalist id={list}>
        {['__name__', ...fields].map((field) => (
          <option key={field} value={field} />
        ))}
      </datalist>
      {draft.conditions.map((condition, i) => (
        <ConditionRow
          // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no other name
          key={i}
          condition={condition}
          list={list}
          onChange={(next) => change(i, next)}
          onRemove={() => change(i, undefined)}
        />
      ))}
      <div className={css.queryFoot}>
        <Button
          size="compact-xs"
          variant="subtle"
          color="gray"
          leftSection={<Filter size={13} aria-hidden />}
          onClick={() => setDraft({ ...draft, conditions: [...draft.conditions, EMPTY] })}
        >
          Add condition
        </Button>
        <label className={css.order}>
          <ArrowDownUp size={13} aria-hidden />
          <input
            aria-label="Order by"
            placeholder="order by"
            list={list}
            spellCheck={false}
            value={draft.order?.field ?? ''}
            onChange={({ currentTarget: { value } }) =>
              setDraft({
                ...draft,
                order: value === '' ? undefined : { field: value, down: draft.order?.down ?? false },
              })
            }
          />
        </label>
        {draft.order && (
          <select
            aria-label="Direction"
            value={draft.order.down ? 'down' : 'up'}
            onChange={({ currentTarget: { value } }) =>
              draft.order && setDraft({ ...draft, order: { ...draft.order, down: value === 'down' } })
            }
          >
            <option value="up">ascending</option>
            <option value="down">descending</option>
          </select>
        )}
        <label className={css.check}>
          <input
            type="checkbox"
            checked={draft.group}
            onChange={(event) => setDraft({ ...draft, group: event.currentTarget.checked })}
          />
          Everywhere
        </label>
        <span className={css.grow} />
        {open && code !== undefined && <CopyButton text={code} label="Copy as code" />}
        {(open || !isEverything(built)) && (
          <>
            <Button size="compact-xs" variant="default" onClick={clear}>
              Clear
            </Button>
            <Button size="compact-xs" type="submit" leftSection={<Play size={12} aria-hidden />}>
              Run
            </Button>
          </>
        )}
      </div>
    </form>
  );
}
