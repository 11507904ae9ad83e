import { Fragment, type ReactNode, useMemo } from 'react';
import { Link } from 'react-router';
import { type Block, type Inline, parseProse } from './parse.ts';
import css from './prose.module.css';

/** True for addresses of the application's own pages; files beside them, such as `/notices.txt`, are no pages. */
const isPage = (address: string): boolean =>
  address.startsWith('#') || (address.startsWith('/') && !/\.\w+$/.test(address));

/** Words and their marks. */
export function Line({ content }: { content: readonly Inline[] }) {
  return content.map((part, i) => {
    const key = `${i}${part.text}`;
    switch (part.kind) {
      case 'strong':
        return <strong key={key}>{part.text}</strong>;
      case 'emphasis':
        return <em key={key}>{part.text}</em>;
      case 'code':
        return <code key={key}>{part.text}</code>;
      case 'link':
        // Notes are written by people: an address that runs something is only words.
        if (!/^(https?:|mailto:|\/|#)/i.test(part.to)) return <Fragment key={key}>{part.text}</Fragment>;
        return isPage(part.to) ? (
          <Link key={key} to={part.to}>
            {part.text}
          </Link>
        ) : (
          <a key={key} href={part.to} target="_blank" rel="noreferrer">
            {part.text}
          </a>
        );
      default:
        return <Fragment key={key}>{part.text}</Fragment>;
    }
  });
}

function List({ ordered, start, items }: Extract<Block, { kind: 'list' }>) {
  const lines = items.map((item, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the text of a page does not change
    <li key={i}>
      <Line content={item} />
    </li>
  ));
  return ordered ? <ol start={start}>{lines}</ol> : <ul>{lines}</ul>;
}

const plain = (content: readonly Inline[]): string => content.map((part) => part.text).join('');

function Table({ rows: [head = [], ...rows] }: Extract<Block, { kind: 'table' }>) {
  // Two tables of a page may have the same columns; what they begin with tells them apart.
  const label = `Table of ${head.map(plain).join(', ')}, from ${plain(rows[0]?.[0] ?? [])}`;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable from the keyboard
    <section className={css.wide} tabIndex={0} aria-label={label}>
      <table>
        <thead>
          <tr>
            {head.map((cell, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the text of a page does not change
              <th key={i} scope="col">
                <Line content={cell} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the text of a page does not change
            <tr key={i}>
              {row.map((cell, j) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the text of a page does not change
                <td key={j}>
                  <Line content={cell} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Section({ block, figures }: { block: Block; figures: Readonly<Record<string, ReactNode>> }) {
  switch (block.kind) {
    case 'heading': {
      const Heading = `h${block.level}` as const;
      return (
        <Heading id={block.id}>
          <Line content={block.content} />
        </Heading>
      );
    }
    case 'paragraph':
      return (
        <p>
          <Line content={block.content} />
        </p>
      );
    case 'remark':
      return (
        <blockquote>
          <Line content={block.content} />
        </blockquote>
      );
    case 'list':
      return <List {...block} />;
    case 'table':
      return <Table {...block} />;
    case 'figure':
      return figures[block.name] ?? null;
  }
}

const NO_FIGURES = {};

/** A text to read, in a measure that is pleasant to read. */
export function Prose({
  source,
  figures = NO_FIGURES,
}: {
  /** In the marks of `parse.ts`. */
  source: string;
  /** Content for each `{figure:name}` of the text. */
  figures?: Readonly<Record<string, ReactNode>>;
}) {
  const blocks = useMemo(() => parseProse(source), [source]);
  return (
    <div className={css.prose}>
      {blocks.map((block, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the text of a page does not change
        <Section key={i} block={block} figures={figures} />
      ))}
    </div>
  );
}
