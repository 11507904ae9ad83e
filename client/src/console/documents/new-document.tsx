import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useState } from 'react';
import { Problem } from '../../ui/page/page.tsx';
import { Popup, PopupActions } from '../../ui/popups/popup.tsx';
import { database, words } from '../server/server.ts';
import css from './documents.module.css';
import { parseFields } from './values.ts';
import { create } from './writes.ts';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
/** As long as the SDKs make them. */
const ID_LENGTH = 20;

function newId(): string {
  const random = crypto.getRandomValues(new Uint8Array(ID_LENGTH));
  return [...random].map((byte) => LETTERS[byte % LETTERS.length]).join('');
}

/** A window to write a document in, and with it the first of a new collection. */
export function NewDocument({
  open,
  databaseId,
  collection,
  parent,
  onClose,
  onMade,
}: {
  open: boolean;
  databaseId: string;
  /** Undefined to name a new one. */
  collection: string | undefined;
  parent: string;
  onClose: () => void;
  onMade: (path: string) => void;
}) {
  const [name, setName] = useState('');
  const [id, setId] = useState('');
  const [text, setText] = useState('');
  const [error, setError] = useState<string>();
  const [saving, setSaving] = useState(false);
  useEffect(() => {
    if (!open) return;
    setName('');
    setId(newId());
    setText('{\n  \n}');
    setError(undefined);
  }, [open]);
  const into = collection ?? (parent === '' ? name.trim() : `${parent}/${name.trim()}`);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setSaving(true);
    setError(undefined);
    try {
      if (into === '' || into.endsWith('/')) throw new Error('Give the collection a name.');
      const path = `${into}/${id.trim()}`;
      await create(databaseId, path, parseFields(text, database(databaseId).root));
      onClose();
      onMade(path);
    } catch (failed) {
      setError(words(failed));
    } finally {
      setSaving(false);
    }
  };
  return (
    <Popup
      open={open}
      onClose={onClose}
      title={collection === undefined ? 'New collection' : `New document in ${collection}`}
      width={560}
    >
      <form className={css.form} onSubmit={submit}>
        {collection === undefined && (
          <TextInput
            size="sm"
            label="Collection"
            description={parent === '' ? 'A collection begins with its first document.' : `Below ${parent}`}
            data-autofocus
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
        )}
        <TextInput
          size="sm"
          label="Id of the document"
          value={id}
          onChange={(event) => setId(event.currentTarget.value)}
        />
        <label className={css.jsonField}>
          Fields, as JSON
          <textarea
            rows={9}
            spellCheck={false}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void submit(event);
            }}
          />
        </label>
        {error !== undefined && <Problem title={error} />}
        <PopupActions>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={saving}>
            Create
          </Button>
        </PopupActions>
      </form>
    </Popup>
  );
}
