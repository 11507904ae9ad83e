import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import css from './brainstorm.module.css';

/** A field for one more of something. */
export function NewEntry({
  label,
  placeholder,
  maxLength,
  button,
  full,
  onAdd,
}: {
  label: string;
  placeholder: string;
  maxLength: number;
  button: string;
  /** True if there is no room for more. */
  full: boolean;
  /** Answers false if the text stays in the field, because it cannot be added. */
  onAdd: (text: string) => boolean;
}) {
  const [text, setText] = useState('');
  return (
    <form
      className={css.row}
      onSubmit={(event) => {
        event.preventDefault();
        if (onAdd(text)) setText('');
      }}
    >
      <TextInput
        aria-label={label}
        placeholder={placeholder}
        className={css.grow ?? ''}
        value={text}
        maxLength={maxLength}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Button type="submit" variant="default" size="md" disabled={full}>
        {button}
      </Button>
    </form>
  );
}
