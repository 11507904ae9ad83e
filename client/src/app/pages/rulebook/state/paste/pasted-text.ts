import { OpenLists } from './open-lists.ts';

/** A line of a list: its indentation, its sign or number, and its words. */
const ITEM = /^([ \t]*)(?:([-*•‣▪◦])|(\d{1,3})[.)])[ \t]+(\S.*)$/;
/** Columns of a tab in the indentation of a line. */
const TAB = 4;

interface Item {
  readonly indent: number;
  readonly number: number | undefined;
  readonly words: string;
}

function itemOf(line: string): Item | undefined {
  const [, space = '', , number, words = ''] = ITEM.exec(line) ?? [];
  if (words === '') return undefined;
  return {
    indent: space.replaceAll('\t', ' '.repeat(TAB)).length,
    number: number === undefined ? undefined : Number(number),
    words: words.trim(),
  };
}

/**
 * The paragraphs and lists of plain text: lines that begin with `- `, `•` or numbers from 1 are items, deeper ones are
 * in the item above.
 * @returns nothing for a text without lists
 */
export function pastedText(text: string): HTMLElement | undefined {
  const body = document.createElement('div');
  const lists = new OpenLists();
  /** Indentations of the lists that are open. */
  let indents: number[] = [];
  let item: HTMLElement | undefined;
  let found = false;
  for (const line of text.split(/\r\n?|\n/)) {
    if (line.trim() === '') continue;
    const next = itemOf(line);
    const isItem = next && (next.number === undefined || next.number === 1 || item !== undefined);
    if (isItem) {
      indents = indents.filter((indent) => indent < next.indent);
      indents.push(next.indent);
      item = lists.add(indents.length, next.number !== undefined, (list) => body.append(list));
      item.append(paragraph(next.words));
      found = true;
    } else if (item && /^[ \t]/.test(line)) {
      // An item that is divided into lines.
      item.lastElementChild?.append(` ${line.trim()}`);
    } else {
      lists.end();
      indents = [];
      item = undefined;
      body.append(paragraph(line.trim()));
    }
  }
  return found ? body : undefined;
}

function paragraph(words: string): HTMLElement {
  const made = document.createElement('p');
  made.textContent = words;
  return made;
}
