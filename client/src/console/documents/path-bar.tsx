import { NativeSelect } from '@mantine/core';
import { useEffect, useState } from 'react';
import { CopyButton } from '../parts/small.tsx';
import css from './documents.module.css';

/** Editable path and the choice of the database. */
export function PathBar({
  path,
  databaseId,
  databases,
  onGo,
  onDatabase,
}: {
  path: string;
  databaseId: string;
  databases: readonly string[];
  onGo: (path: string) => void;
  onDatabase: (id: string) => void;
}) {
  const [typed, setTyped] = useState(path);
  useEffect(() => setTyped(path), [path]);
  return (
    <form
      className={css.path}
      onSubmit={(event) => {
        event.preventDefault();
        onGo(typed.trim());
      }}
    >
      {databases.length > 1 && (
        <NativeSelect
          size="xs"
          aria-label="Database"
          data={[...databases]}
          value={databaseId}
          onChange={(event) => onDatabase(event.currentTarget.value)}
        />
      )}
      <span aria-hidden>/</span>
      <input
        aria-label="Path of a collection or a document"
        data-filter
        placeholder="users/ann"
        spellCheck={false}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') setTyped(path);
        }}
      />
      <CopyButton text={path} label="Copy the path" />
    </form>
  );
}
