import { NativeSelect, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { cutText } from '../../../../core/text/cut-text.ts';

/** A text that counts once it is whole: when the field is left, or Enter is pressed. */
export function TextField({
  label,
  value,
  maxLength = 200,
  required = false,
  onChange,
  onEnter,
}: {
  label: string;
  value: string;
  maxLength?: number;
  /** Called after Enter, once the text counts. */
  onEnter?: (() => void) | undefined;
  /** Empty is no value: what was there before comes back. */
  required?: boolean;
  onChange: (value: string) => void;
}) {
  const [draft, setDraft] = useState<string>();
  const take = () => {
    if (draft !== undefined && draft !== value && (draft.trim() !== '' || !required)) onChange(draft.trim());
    setDraft(undefined);
  };
  return (
    <TextInput
      size="xs"
      label={label}
      value={draft ?? value}
      maxLength={maxLength}
      onChange={(event) => setDraft(event.currentTarget.value)}
      onBlur={take}
      onKeyDown={(event) => {
        if (event.key !== 'Enter') return;
        if (!onEnter) return take();
        // The key belongs to the field, not to what has the focus afterwards. Leaving the field takes its text.
        event.preventDefault();
        onEnter();
      }}
    />
  );
}

/** Names, one a line. */
export function NamesField({
  label,
  values,
  most,
  least = 0,
  onChange,
}: {
  label: string;
  values: readonly string[];
  most: number;
  least?: number;
  onChange: (values: string[]) => void;
}) {
  const [draft, setDraft] = useState<string>();
  const take = () => {
    if (draft === undefined) return;
    const names = draft
      .split('\n')
      .map((name) => cutText(name.trim(), 200))
      .filter((name) => name !== '')
      .slice(0, most);
    if (names.length >= least && names.join('\n') !== values.join('\n')) onChange(names);
    setDraft(undefined);
  };
  return (
    <Textarea
      size="xs"
      label={label}
      autosize
      minRows={1}
      maxRows={4}
      value={draft ?? values.join('\n')}
      onChange={(event) => setDraft(event.currentTarget.value)}
      onBlur={take}
    />
  );
}

/** One of several choices; a value that is none of them is shown as gone. */
export function Choice({
  label,
  value,
  options,
  onChange,
}: {
  label: string;
  value: string;
  options: readonly { readonly value: string; readonly label: string }[];
  onChange: (value: string) => void;
}) {
  const known = options.some((one) => one.value === value);
  const data = known
    ? [...options]
    : [{ value, label: value === '?' || value === 'none' ? 'Choose…' : `${value} (gone)` }, ...options];
  return (
    <NativeSelect
      size="xs"
      label={label}
      value={value}
      data={data}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
