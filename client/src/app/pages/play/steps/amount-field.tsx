import { TextInput } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { type AmountOf, type Count, countText, readCount } from '../../../../core/play/protocol/buttons.ts';
import type { Part } from '../../../../core/play/protocol/parts.ts';

/** A number of a step, or the formula that it is worked out by. An error keeps its form from being sent. */
export function AmountField({
  label,
  placeholder,
  count,
  parts,
  of,
  onChange,
}: {
  label: string;
  placeholder?: string;
  count: Count | undefined;
  parts: readonly Part[];
  of: AmountOf;
  /** `undefined` for an empty field, where that means all. */
  onChange: (count: Count | undefined) => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(() => countText(count));
  const read = readCount(text, parts, of);
  const needed = placeholder === undefined && text.trim() === '' ? 'Write a number or a formula.' : undefined;
  const fault = needed ?? ('fault' in read ? read.fault : undefined);
  useEffect(() => input.current?.setCustomValidity(fault ?? ''), [fault]);
  return (
    <TextInput
      ref={input}
      size="sm"
      aria-label={label}
      title="A number, or a formula: players + 1, count(Deck) / 2"
      {...(placeholder !== undefined && { placeholder })}
      value={text}
      error={fault}
      onChange={({ currentTarget: { value } }) => {
        setText(value);
        const next = readCount(value, parts, of);
        if ('count' in next && (next.count || placeholder !== undefined)) onChange(next.count);
      }}
    />
  );
}
