import { Textarea, type TextareaProps } from '@mantine/core';
import { SquareFunction } from 'lucide-react';
import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import {
  type Completion,
  callAt,
  completionsAt,
  type FormulaName,
} from '../../core/expression/completion.ts';
import css from './formula-input.module.css';

/** After so long without a key a fault is told, in milliseconds. */
const FAULT_AFTER_MS = 700;

/** A fault is told once the typing pauses, and goes at once. */
function usePaused(fault: string | undefined, value: string): string | undefined {
  const [told, setTold] = useState({ fault, value });
  useEffect(() => {
    const timer = setTimeout(() => setTold({ fault, value }), FAULT_AFTER_MS);
    return () => clearTimeout(timer);
  }, [fault, value]);
  return fault !== undefined && told.value === value ? told.fault : undefined;
}

/** A formula being written: columns and functions are offered as they are typed, all of them by Ctrl+Space or the button. */
export function FormulaInput({
  value,
  names,
  fault,
  result,
  onChange,
  ...rest
}: Omit<TextareaProps, 'value' | 'onChange' | 'error' | 'description'> & {
  value: string;
  /** Columns and other names, with their values or meanings. */
  names: readonly FormulaName[];
  /** Its fault, if it has one. */
  fault: string | undefined;
  /** Its result, or a note on its use. */
  result?: string | undefined;
  onChange: (formula: string) => void;
}) {
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const list = useRef<HTMLDivElement>(null);
  /** Place of the caret after a completion. */
  const moved = useRef<number>(undefined);
  const [caret, setCaret] = useState<number>();
  const [offer, setOffer] = useState<'none' | 'typed' | 'all'>('none');
  const [active, setActive] = useState(0);

  const found =
    offer === 'none' || caret === undefined ? undefined : completionsAt(value, caret, names, offer === 'all');
  const items = found?.items ?? [];
  // A formula is not finished while its writer chooses.
  const told = usePaused(items.length > 0 ? undefined : fault, value);
  const call = caret === undefined ? undefined : callAt(value, caret);
  const follow = () => setCaret(field.current?.selectionStart);
  const offerAll = () => {
    field.current?.focus();
    follow();
    setActive(0);
    setOffer('all');
  };
  const take = (item: Completion | undefined) => {
    if (!item || !found) return;
    moved.current = found.from + item.insert.length;
    setOffer('none');
    setActive(0);
    onChange(value.slice(0, found.from) + item.insert + value.slice(found.to));
  };
  const isWritten = (item: Completion | undefined) =>
    found && item?.insert.toLowerCase() === value.slice(found.from, found.to).toLowerCase();
  useLayoutEffect(() => {
    if (moved.current === undefined) return;
    field.current?.setSelectionRange(moved.current, moved.current);
    moved.current = undefined;
    setCaret(field.current?.selectionStart);
  });
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: 'nearest' });
  }, [active]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === ' ' && event.ctrlKey) {
      event.preventDefault();
      offerAll();
      return;
    }
    if (items.length === 0) return;
    if (event.key === 'Escape') {
      event.stopPropagation();
      event.preventDefault();
      setOffer('none');
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      setActive((now) => (now + (event.key === 'ArrowDown' ? 1 : items.length - 1)) % items.length);
    } else if (event.key === 'Tab' && isWritten(items[active])) {
      // The word is whole: Tab goes on to the next field.
      setOffer('none');
    } else if ((event.key === 'Enter' || event.key === 'Tab') && !event.shiftKey) {
      event.preventDefault();
      event.stopPropagation();
      take(items[active] ?? items[0]);
    }
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the focus leaves the field and its list together
    <div
      className={css.formula}
      onBlur={(event) => {
        if (event.currentTarget.contains(event.relatedTarget)) return;
        setOffer('none');
        setCaret(undefined);
      }}
    >
      <Textarea
        {...rest}
        ref={field}
        autosize
        spellCheck={false}
        autoComplete="off"
        value={value}
        {...(told !== undefined && { error: told })}
        {...(told === undefined && result !== undefined && { description: result })}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        aria-autocomplete="list"
        aria-haspopup="listbox"
        {...(items.length > 0 && {
          'aria-controls': `${id}-list`,
          'aria-activedescendant': `${id}-${active}`,
        })}
        rightSection={
          <button
            type="button"
            className={css.all}
            aria-label="Columns and functions"
            title="Columns and functions (Ctrl+Space)"
            // The field keeps its caret.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => (offer === 'all' ? setOffer('none') : offerAll())}
          >
            <SquareFunction size={15} aria-hidden />
          </button>
        }
        onChange={(event) => {
          setCaret(event.currentTarget.selectionStart);
          setActive(0);
          setOffer('typed');
          onChange(event.currentTarget.value);
        }}
        onKeyDown={onKeyDown}
        onKeyUp={follow}
        onClick={follow}
      />
      {items.length === 0 && call && (
        <p className={css.call}>
          <code>{call.usage}</code>: {call.gives}
        </p>
      )}
      {items.length > 0 && (
        <div
          ref={list}
          id={`${id}-list`}
          role="listbox"
          aria-label="Columns and functions"
          className={css.list}
        >
          {items.map((item, at) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus, and its keys choose
            <div
              key={`${item.kind} ${item.label}`}
              id={`${id}-${at}`}
              role="option"
              tabIndex={-1}
              aria-selected={at === active}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => take(item)}
            >
              <code>{item.label}</code>
              <span>{item.detail}</span>
            </div>
          ))}
        </div>
      )}
    </div>
  );
}
