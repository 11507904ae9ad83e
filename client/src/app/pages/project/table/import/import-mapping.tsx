import { NativeSelect } from '@mantine/core';
import { cellAt, own } from '../../../../../core/records.ts';
import type { Component, WithId } from '../../../../../data/documents/documents.ts';
import { CARD_ID_HEADER, type Mapping, type Match, type Target } from '../../../../../data/import/plan.ts';
import { type ImportedTable, namesRows } from '../../../../../data/import/table.ts';
import css from './import.module.css';

const choiceOf = (target: Target | undefined) =>
  target?.kind === 'existing' ? `=${target.key}` : (target?.kind ?? 'skip');

/** Mapping of the file's columns, and the way its rows find their cards. */
export function ImportMapping({
  table,
  component,
  mapping,
  onChange,
}: {
  table: ImportedTable;
  component: WithId<Component>;
  mapping: Mapping;
  onChange: (mapping: Mapping) => void;
}) {
  const choices = [
    { value: 'new', label: 'New column' },
    { value: 'skip', label: 'Leave out' },
    ...component.columns
      .filter(({ type }) => type !== 'formula')
      .map(({ key, name }) => ({ value: `=${key}`, label: name })),
  ];
  const setTarget = (source: string, value: string) => {
    const target: Target = value.startsWith('=')
      ? { kind: 'existing', key: value.slice(1) }
      : { kind: value === 'new' ? 'new' : 'skip' };
    onChange({ ...mapping, targets: { ...mapping.targets, [source]: target } });
  };
  const matches = table.columns.filter(({ key }) => namesRows(key, table.rows));
  const matchValue = mapping.match.by === 'likeness' ? '' : mapping.match.source;
  const setMatch = (source: string) => {
    const column = table.columns.find(({ key }) => key === source);
    const match: Match = !column
      ? { by: 'likeness' }
      : column.name.trim().toLowerCase() === CARD_ID_HEADER.toLowerCase()
        ? { by: 'card-id', source }
        : { by: 'column', source };
    onChange({ ...mapping, match });
  };
  return (
    <div className={css.mapping}>
      <p className={css.lead}>
        {table.rows.length} rows. Columns with the same name are put together; change what is wrong.
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lists are scrolled with the keyboard */}
      <section className={css.columns} tabIndex={0} aria-label="Columns of the file">
        <table>
          <thead>
            <tr>
              <th scope="col">In the file</th>
              <th scope="col">For example</th>
              <th scope="col">Goes to</th>
            </tr>
          </thead>
          <tbody>
            {table.columns.map(({ key, name }) => (
              <tr key={key}>
                <th scope="row">{name}</th>
                <td>{table.rows.map(({ cells }) => cellAt(cells, key)).find((text) => text !== '')}</td>
                <td>
                  <NativeSelect
                    size="xs"
                    aria-label={`${name} goes to`}
                    value={choiceOf(own(mapping.targets, key))}
                    data={choices}
                    onChange={(event) => setTarget(key, event.currentTarget.value)}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <div className={css.choices}>
        <NativeSelect
          label="Rows find their cards by"
          value={matchValue}
          data={[
            { value: '', label: 'Being alike' },
            ...matches.map(({ key, name }) => ({ value: key, label: name })),
          ]}
          onChange={(event) => setMatch(event.currentTarget.value)}
        />
        <NativeSelect
          label="Copies"
          value={mapping.copies ?? ''}
          data={[
            { value: '', label: 'Leave as they are' },
            ...(table.copiesColumn === undefined
              ? []
              : [
                  {
                    value: table.copiesColumn,
                    label: table.columns.find(({ key }) => key === table.copiesColumn)?.name ?? 'Copies',
                  },
                ]),
          ]}
          onChange={(event) => onChange({ ...mapping, copies: event.currentTarget.value || undefined })}
        />
      </div>
    </div>
  );
}
