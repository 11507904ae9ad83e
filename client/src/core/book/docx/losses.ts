import type { UnpackedDocx } from './unpack.ts';

/** Things of a Word document that a rulebook has no form for, or another one. */
export type Loss =
  | 'picture-kind'
  | 'picture-linked'
  | 'picture-in-table'
  | 'merged-cells'
  | 'nested-table'
  | 'wide-table'
  | 'long-cell'
  | 'note'
  | 'decoration'
  | 'comment'
  | 'deep-heading'
  | 'deep-list'
  | 'link'
  | 'inner-link'
  | 'contents'
  | 'equation'
  | 'text-box'
  | 'hidden'
  | 'page-before'
  | 'sections'
  | 'changes'
  | 'running-head'
  | 'chart'
  | 'embedded';

const many = (count: number, one: string, more = `${one}s`): string => `${count} ${count === 1 ? one : more}`;
const are = (count: number): string => (count === 1 ? 'is' : 'are');
const them = (count: number): string => (count === 1 ? 'it' : 'them');
const were = (count: number): string => (count === 1 ? 'was' : 'were');

/** Each loss in a sentence. */
const SENTENCES: Readonly<Record<Loss, (count: number) => string>> = {
  'picture-kind': (n) =>
    `${many(n, 'picture')} ${were(n)} left out, because no browser shows their kind (EMF, WMF, TIFF): save them as PNG and insert them.`,
  'picture-linked': (n) =>
    `${many(n, 'picture')} ${were(n)} left out, because the document has only a link to them: insert them.`,
  'picture-in-table': (n) => `${many(n, 'picture')} in tables ${are(n)} below their table.`,
  'merged-cells': (n) =>
    `${many(n, 'merged cell')} ${are(n)} divided: the text is in the first part, the others are empty.`,
  'nested-table': (n) => `${many(n, 'table')} inside a cell ${are(n)} text, with a line for each row.`,
  'wide-table': (n) =>
    `${many(n, 'table')} had more columns than a rulebook’s: the text of the others is in the last one.`,
  'long-cell': (n) => `The end of ${many(n, 'cell')} was cut off: a cell cannot hold so much text.`,
  note: (n) =>
    n === 1
      ? 'A footnote is a note below the text that it belongs to.'
      : `${n} footnotes and endnotes are notes below the text that they belong to.`,
  decoration: (n) =>
    `${many(n, 'piece')} of text lost an underline, a strike, a highlight, or being raised or lowered.`,
  comment: (n) => `${many(n, 'comment')} ${were(n)} left out.`,
  'deep-heading': (n) => `${many(n, 'heading')} below level 4 ${are(n)} of level 4.`,
  'deep-list': (n) => `${many(n, 'list item')} ${are(n)} less deep than they were.`,
  link: (n) => `${many(n, 'address', 'addresses')} of links ${are(n)} in brackets behind their words.`,
  'inner-link': (n) => `${many(n, 'link')} to a place in the document ${are(n)} plain words.`,
  contents: () => 'The table of contents is the rulebook’s own, which follows the text.',
  equation: (n) =>
    `${many(n, 'equation')} ${were(n)} left out: write ${them(n)}, or insert ${them(n)} as a picture.`,
  'text-box': (n) => `The text of ${many(n, 'text box', 'text boxes')} is among the paragraphs.`,
  hidden: (n) =>
    `${many(n, 'piece')} of hidden text ${are(n)} not hidden any more: delete ${them(n)} if nobody may read ${them(n)}.`,
  'page-before': (n) =>
    `${many(n, 'paragraph')} that began a page by their format no longer do: insert page breaks.`,
  sections: () => 'Section breaks, columns and page sizes are gone: the rulebook’s format sets them.',
  changes: () => 'Tracked changes are taken as accepted.',
  'running-head': () => 'Headers and footers are gone: the rulebook has its own.',
  chart: (n) =>
    `${many(n, 'chart or diagram', 'charts and diagrams')} ${were(n)} left out: insert pictures of them.`,
  embedded: (n) => `${many(n, 'embedded file')} ${were(n)} left out.`,
};

/** Counts all that could not be taken over as it was. */
export class Losses {
  readonly #counts = new Map<Loss, number>();
  readonly #others = new Set<string>();

  add(loss: Loss, count = 1): void {
    if (count > 0) this.#counts.set(loss, (this.#counts.get(loss) ?? 0) + count);
  }

  /** Takes what the library says that it left out. */
  remarks(remarks: readonly string[]): void {
    for (const remark of remarks) {
      const element = /^An unrecognised element was ignored: (\S+)/.exec(remark)?.[1];
      if (element === undefined) continue;
      // Paragraphs of equations hold them.
      if (element.startsWith('{') ? element.endsWith('}oMath') : /^m:oMath(?:Para)?$/.test(element))
        this.add('equation');
      else this.#others.add(element.slice(0, 60));
    }
  }

  /** Counts what the library passes over without a word. */
  parts({ names, text }: UnpackedDocx): void {
    const main = text('word/document.xml');
    const times = (pattern: RegExp): number => main.match(pattern)?.length ?? 0;
    // A box of a newer kind comes once more in the older one, for programs that know that alone.
    const twice = times(/<mc:Fallback[\s>](?:(?!<\/mc:Fallback>)[\s\S]){0,20000}?<w:txbxContent[\s>]/g);
    this.add('text-box', times(/<w:txbxContent[\s>]/g) - twice);
    this.add('hidden', times(/<w:r(?:\s[^>]*)?><w:rPr>(?:(?!<\/w:rPr>)[\s\S]){0,2000}?<w:vanish\s*\/>/g));
    this.add('page-before', times(/<w:pageBreakBefore\s*\/>/g));
    if (times(/<w:sectPr[\s>]/g) > 1) this.add('sections');
    if (times(/<w:(?:ins|del|moveFrom)\s/g) > 0) this.add('changes');
    const heads = names.filter((name) => /^word\/(?:header|footer)\d*\.xml$/.test(name));
    if (heads.some((name) => /<w:t[\s>][^<]*\S/.test(text(name)))) this.add('running-head');
    this.add(
      'chart',
      names.filter((name) => /^word\/(?:charts\/chart|diagrams\/data)\d*\.xml$/.test(name)).length,
    );
    this.add('embedded', names.filter((name) => /^word\/embeddings\/[^/]+$/.test(name)).length);
  }

  sentences(): string[] {
    const known = [...this.#counts].map(([loss, count]) => SENTENCES[loss](count));
    const others = [...this.#others];
    return others.length === 0
      ? known
      : [
          ...known,
          `Parts of a kind that is not known here were left out: ${others.slice(0, 10).join(', ')}.`,
        ];
  }
}
