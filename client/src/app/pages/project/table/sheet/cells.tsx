import { useLayoutEffect, useRef } from 'react';
import { cellAt } from '../../../../../core/records.ts';
import type { TableColumn } from '../../../../../data/documents/documents.ts';
import { MAX_CELL_LENGTH } from '../../../../../data/import/table.ts';
import { isTrue, numberIn } from '../../../../../data/table/view.ts';
import { PeerMark } from '../peers/peer-mark.tsx';
import css from './cells.module.css';
import { chooseImage, ImageCell, imageName } from './image-cell.tsx';
import type { SheetCellProps } from './sheet.tsx';

/** Properties shared by the cells of one column. */
export interface ColumnLook {
  readonly column: TableColumn;
  /** Cells show one line only. */
  readonly short: boolean;
  /** Texts spread over their neighbours while they are typed. */
  readonly overlay: boolean;
  /** Somebody else has this table open. */
  readonly shared: boolean;
  /** Language of its texts, as far as somebody said it; screen readers and the spelling check go by it. */
  readonly language: string | undefined;
  /** Id of the list of what may be chosen. */
  readonly options: string | undefined;
}

/** The last thing that moved the cursor: a box is ticked by a click or by a key, never by both. */
let lastInput: 'key' | 'pointer' = 'key';
/** The last key pressed, so that a letter replaces a cell's text and Enter goes on with it. */
let lastKey = '';
if (typeof document !== 'undefined') {
  document.addEventListener(
    'keydown',
    ({ key }) => {
      lastInput = 'key';
      lastKey = key;
    },
    true,
  );
  document.addEventListener(
    'pointerdown',
    () => {
      lastInput = 'pointer';
      lastKey = '';
    },
    true,
  );
}

/** A cell of any kind. */
export function Cell(props: SheetCellProps) {
  const { row, column, text } = props;
  const { column: own, short, shared, language } = column.data as ColumnLook;
  if (row.kind !== 'card') return <span className={css.sum}>{cellAt(row.sums, column.key)}</span>;
  if (own.type === 'bool') return <BoolCell {...props} />;
  const numeric = own.type === 'number';
  const bad =
    text.trim() !== '' &&
    ((numeric && numberIn(text) === undefined) || (own.type === 'colour' && !isColour(text)));
  return (
    <>
      {props.editing && !props.readOnly ? (
        <TextEditor key={row.id} {...props} text={own.type === 'image' ? imageName(text) : text} />
      ) : (
        <span
          className={css.text}
          data-lines={short ? 1 : undefined}
          data-align={numeric ? 'end' : undefined}
          data-bad={bad || undefined}
          data-formula={own.type === 'formula' || undefined}
        >
          {own.type === 'colour' && text !== '' && isColour(text) && (
            <i className={css.swatch} style={{ background: text }} />
          )}
          {own.type === 'image' ? (
            <ImageCell text={text} active={props.active} write={props.readOnly ? undefined : props.write} />
          ) : own.type === 'list' && text !== '' ? (
            <span className={css.tag}>{text}</span>
          ) : (
            <span className={css.words} {...spoken(own, language)}>
              {short ? text.replace(/\s*\n\s*/g, ' ⏎ ') : text}
            </span>
          )}
        </span>
      )}
      {shared && <PeerMark card={row.id} column={column.key} />}
    </>
  );
}

/** Attributes of a text in a language, which may run the other way; numbers, names of pictures and the like are in none. */
const spoken = ({ type }: TableColumn, language: string | undefined) =>
  type === 'text' && language !== undefined ? ({ lang: language, dir: 'auto' } as const) : undefined;

const isColour = (text: string) => typeof CSS === 'undefined' || CSS.supports('color', text.trim());

function BoolCell({ row, column, text, editing, readOnly, write, stop }: SheetCellProps) {
  const on = isTrue(text);
  const toggle = () => write(on ? 'FALSE' : 'TRUE');
  // biome-ignore lint/correctness/useExhaustiveDependencies: a key that begins an edit ticks, once
  useLayoutEffect(() => {
    if (!editing) return;
    if (lastInput === 'key') toggle();
    stop(false);
  }, [editing]);
  return (
    <span className={css.bool}>
      <input
        type="checkbox"
        className={css.box}
        checked={on}
        disabled={readOnly}
        tabIndex={-1}
        aria-label={column.name}
        onChange={toggle}
        // The grid ends the click's own effect on the box: state alone says how it looks.
        onClick={(event) => event.stopPropagation()}
      />
      {(column.data as ColumnLook).shared && <PeerMark card={row.id} column={column.key} />}
    </span>
  );
}

const LINE_KEYS = (event: React.KeyboardEvent) =>
  event.altKey || event.ctrlKey || event.metaKey || event.shiftKey;

/** Enter ends it, Alt+Enter breaks the line, Escape leaves the cell as it was. */
function TextEditor({ column, text, write, stop }: SheetCellProps) {
  const { column: own, overlay, options, language } = column.data as ColumnLook;
  const field = useRef<HTMLTextAreaElement & HTMLInputElement>(null);
  const given = useRef(text);
  const dropped = useRef(false);
  const save = useRef(write);
  save.current = write;

  useLayoutEffect(() => {
    const element = field.current;
    if (!element) return;
    element.focus({ preventScroll: true });
    // A letter replaces what was there; Enter, F2 or a click goes on with it.
    if (lastKey.length === 1) element.select();
    else element.setSelectionRange(element.value.length, element.value.length);
    // Said with attributes: a `:has()` rule would be looked up for every row that scrolls in.
    const raised = [element.closest('.dsg-row'), element.closest('.dsg-cell')];
    for (const box of raised) box?.setAttribute('data-raised', '');
    return () => {
      for (const box of raised) box?.removeAttribute('data-raised');
      const typed = element.value.replace(/\r\n?/g, '\n');
      if (!dropped.current && typed !== given.current) save.current(typed);
    };
  }, []);

  const onKeyDown = (event: React.KeyboardEvent<HTMLTextAreaElement | HTMLInputElement>) => {
    const element = event.currentTarget;
    if (event.nativeEvent.isComposing) {
      event.stopPropagation();
    } else if (event.key === 'Escape') {
      dropped.current = true;
    } else if (event.key === 'Enter' && LINE_KEYS(event)) {
      event.preventDefault();
      event.stopPropagation();
      if (element instanceof HTMLTextAreaElement) {
        element.setRangeText('\n', element.selectionStart, element.selectionEnd, 'end');
      }
    } else if (event.key === 'Enter') {
      event.preventDefault();
      event.stopPropagation();
      stop(true);
    } else if (own.type === 'image' && event.altKey && event.key === 'ArrowDown') {
      event.preventDefault();
      event.stopPropagation();
      dropped.current = true;
      stop(false);
      chooseImage({ write });
    } else if (event.key === 'ArrowUp' || event.key === 'ArrowDown') {
      const before = element.value.slice(0, element.selectionStart ?? 0);
      const after = element.value.slice(element.selectionEnd ?? 0);
      // Within a text the arrows move between its lines.
      const rest = event.key === 'ArrowUp' ? before : after;
      if (rest.includes('\n') || options !== undefined) event.stopPropagation();
    } else if (event.key !== 'Tab') {
      event.stopPropagation();
    }
  };
  const shared = {
    ref: field,
    className: css.editor,
    defaultValue: text,
    maxLength: MAX_CELL_LENGTH,
    'aria-label': own.name,
    ...spoken(own, language),
    onKeyDown,
  } as const;
  return options !== undefined ? (
    <input {...shared} list={options} />
  ) : (
    <textarea {...shared} rows={1} data-overlay={overlay || undefined} spellCheck={own.type === 'text'} />
  );
}
