import { ChevronDown, ChevronRight, Pencil, Plus, Trash2 } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import type { WireDocument, WireValue } from '../../sdk/firestore/types.ts';
import { IconButton, Tag } from '../parts/small.tsx';
import { database, words } from '../server/server.ts';
import css from './documents.module.css';
import { firstText, fromText, KINDS, type Kind, kindOf, toText } from './values.ts';
import { setField } from './writes.ts';

/** Kinds that are written over several lines. */
const TALL: readonly Kind[] = ['map', 'array', 'vector'];

type Save = (value: WireValue) => Promise<void>;

/** A kind and a text, kept with Enter. */
function ValueEditor({
  begin,
  root,
  onSave,
  onLeave,
}: {
  begin: WireValue | undefined;
  root: string;
  onSave: Save;
  onLeave: () => void;
}) {
  const [kind, setKind] = useState<Kind>(begin ? kindOf(begin) : 'string');
  const [text, setText] = useState(begin ? toText(begin) : '');
  const [error, setError] = useState<string>();
  const save = async () => {
    try {
      await onSave(fromText(kind, text, root));
      onLeave();
    } catch (failed) {
      setError(words(failed));
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      event.stopPropagation();
      onLeave();
    } else if (event.key === 'Enter' && (!event.shiftKey || event.ctrlKey)) {
      event.preventDefault();
      void save();
    }
  };
  const tall = TALL.includes(kind) || text.includes('\n') || text.length > 60;
  const shared = {
    'aria-label': 'Value',
    'aria-invalid': error !== undefined,
    value: text,
    spellCheck: false,
    autoFocus: true,
    onKeyDown,
  } as const;
  return (
    <div className={css.editor}>
      <div>
        <select
          aria-label="Kind"
          value={kind}
          onChange={({ currentTarget }) => {
            const next = currentTarget.value as Kind;
            setKind(next);
            setError(undefined);
            if (begin === undefined || next !== kindOf(begin)) setText(firstText(next));
            else setText(toText(begin));
          }}
        >
          {KINDS.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
        {kind === 'boolean' ? (
          <select {...shared} onChange={(event) => setText(event.currentTarget.value)}>
            <option>true</option>
            <option>false</option>
          </select>
        ) : tall ? (
          <textarea {...shared} rows={4} onChange={(event) => setText(event.currentTarget.value)} />
        ) : (
          <input
            {...shared}
            disabled={kind === 'null'}
            onChange={(event) => setText(event.currentTarget.value)}
          />
        )}
        <button type="button" className={css.keep} onClick={save}>
          Save
        </button>
        <button type="button" className={css.leave} onClick={onLeave}>
          Cancel
        </button>
      </div>
      {error !== undefined && <p role="alert">{error}</p>}
    </div>
  );
}

function countOf(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

function membersOf(value: WireValue): readonly (readonly [string, WireValue])[] | undefined {
  if ('arrayValue' in value) return (value.arrayValue.values ?? []).map((item, i) => [String(i), item]);
  if (kindOf(value) === 'map' && 'mapValue' in value) {
    return Object.entries(value.mapValue.fields ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  }
  return undefined;
}

/** A value with one of its members changed or, with `undefined`, left out. */
function withMember(value: WireValue, key: string, member: WireValue | undefined): WireValue {
  if ('arrayValue' in value) {
    const values = (value.arrayValue.values ?? []).flatMap((old, i) =>
      String(i) === key ? (member ? [member] : []) : [old],
    );
    return { arrayValue: { values } };
  }
  const fields = { ...('mapValue' in value ? value.mapValue.fields : {}) };
  delete fields[key];
  return { mapValue: { fields: member ? { ...fields, [key]: member } : fields } };
}

function FieldRow({
  name,
  value,
  root,
  depth,
  onSave,
  onRemove,
}: {
  name: string;
  value: WireValue;
  root: string;
  depth: number;
  onSave: Save;
  onRemove: () => Promise<void>;
}) {
  const [open, setOpen] = useState(depth === 0);
  const [editing, setEditing] = useState(false);
  const members = membersOf(value);
  const kind = kindOf(value);
  const Arrow = open ? ChevronDown : ChevronRight;
  return (
    <li>
      <div className={css.field} style={{ paddingLeft: 8 + depth * 18 }}>
        {members ? (
          <button
            type="button"
            className={css.arrow}
            aria-expanded={open}
            aria-label={`Members of ${name}`}
            onClick={() => setOpen(!open)}
          >
            <Arrow size={14} aria-hidden />
          </button>
        ) : (
          <span className={css.arrow} />
        )}
        <span className={css.name} title={name}>
          {name}
        </span>
        {editing ? null : (
          <>
            <button
              type="button"
              className={css.value}
              data-kind={kind}
              aria-label={`Change ${name}: ${toText(value).slice(0, 80)}`}
              onClick={() => setEditing(true)}
            >
              {members ? countOf(members.length, kind === 'map' ? 'field' : 'item') : toText(value)}
            </button>
            <span className={css.fieldEnd}>
              <span className={css.kind}>
                <Tag>{kind}</Tag>
              </span>
              <span className={css.fieldTools}>
                <IconButton label={`Edit ${name}`} onClick={() => setEditing(true)}>
                  <Pencil size={13} aria-hidden />
                </IconButton>
                <IconButton label={`Remove ${name}`} danger onClick={() => void onRemove()}>
                  <Trash2 size={13} aria-hidden />
                </IconButton>
              </span>
            </span>
          </>
        )}
      </div>
      {editing && <ValueEditor begin={value} root={root} onSave={onSave} onLeave={() => setEditing(false)} />}
      {members && open && !editing && (
        <ul className={css.fields}>
          {members.map(([key, member]) => (
            <FieldRow
              key={key}
              name={key}
              value={member}
              root={root}
              depth={depth + 1}
              onSave={(next) => onSave(withMember(value, key, next))}
              onRemove={() => onSave(withMember(value, key, undefined))}
            />
          ))}
        </ul>
      )}
    </li>
  );
}

/** A line to add a field in. */
function NewField({
  taken,
  root,
  onSave,
}: {
  taken: readonly string[];
  root: string;
  onSave: (name: string, value: WireValue) => Promise<void>;
}) {
  const [name, setName] = useState<string>();
  if (name === undefined) {
    return (
      <button type="button" className={css.add} onClick={() => setName('')}>
        <Plus size={14} aria-hidden />
        Add field
      </button>
    );
  }
  return (
    <div className={css.newField}>
      <input
        aria-label="Name of the new field"
        placeholder="name"
        // biome-ignore lint/a11y/noAutofocus: the line was opened to be written in
        autoFocus
        spellCheck={false}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') setName(undefined);
        }}
      />
      <ValueEditor
        begin={undefined}
        root={root}
        onSave={(value) => {
          if (name.trim() === '') throw new Error('Give the field a name.');
          if (taken.includes(name)) throw new Error(`There is a field ${name} already.`);
          return onSave(name, value);
        }}
        onLeave={() => setName(undefined)}
      />
    </div>
  );
}

/** The fields of a document, each changed in its place. */
export function FieldTree({ databaseId, document }: { databaseId: string; document: WireDocument }) {
  const { root } = database(databaseId);
  const [error, setError] = useState<string>();
  const fields = Object.entries(document.fields ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  const set = (name: string, value: WireValue | undefined) =>
    setField(databaseId, document.name, [name], value);
  return (
    <>
      {error !== undefined && (
        <p role="alert" className={css.failed}>
          {error}
        </p>
      )}
      <ul className={css.fields} aria-label="Fields">
        {fields.map(([name, value]) => (
          <FieldRow
            key={name}
            name={name}
            value={value}
            root={root}
            depth={0}
            onSave={(next) => set(name, next)}
            onRemove={() => set(name, undefined).catch((failed: unknown) => setError(words(failed)))}
          />
        ))}
      </ul>
      {fields.length === 0 && <p className={css.none}>No fields.</p>}
      <NewField taken={fields.map(([name]) => name)} root={root} onSave={set} />
    </>
  );
}
