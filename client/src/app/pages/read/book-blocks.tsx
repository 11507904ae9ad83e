import type { CSSProperties } from 'react';
import type { Block, BlockOf, Cards, Figure, Heading, Table } from '../../../core/book/document/schema.ts';
import { calloutTitle } from '../../../core/book/typesetting/callout-title.ts';
import { anchorOf, useBook } from './book-context.ts';
import { Inlines } from './book-inlines.tsx';
import { LiveBlock } from './live-blocks.tsx';
import css from './read.module.css';

/** Blocks of a published rulebook, each with an anchor of its own. */
export function Blocks({ blocks }: { blocks: readonly Block[] }) {
  return blocks.map((block) => <OneBlock key={block.id} block={block} />);
}

function OneBlock({ block }: { block: Block }) {
  const id = anchorOf(block.id);
  switch (block.type) {
    case 'heading':
      return <BookHeading heading={block} />;
    case 'paragraph':
      return (
        <p id={id}>
          <Inlines content={block.content} />
        </p>
      );
    case 'rule':
      return <Rule {...block} />;
    case 'definition':
      return (
        <p id={id} className={css.definition}>
          <dfn>{block.term}</dfn> <Inlines content={block.content} />
        </p>
      );
    case 'list':
      return <BookList {...block} />;
    case 'callout':
      return <BookCallout {...block} />;
    case 'columns':
      return (
        <div id={id} className={css.columns} style={{ '--columns': block.count } as CSSProperties}>
          <Blocks blocks={block.blocks} />
        </div>
      );
    case 'table':
      return <BookTable table={block} />;
    case 'figure':
      return <BookFigure figure={block} />;
    case 'cards':
      return <CardRow cards={block} />;
    case 'pageBreak':
      return block.to === 'column' ? null : <div className={css.pageBreak} />;
    case 'live':
      return <LiveBlock id={id} show={block.show} />;
  }
}

function BookHeading({ heading: { id, level, content } }: { heading: Heading }) {
  // The title of the book is the first heading.
  const Tag = `h${level + 1}` as 'h2' | 'h3' | 'h4' | 'h5';
  return (
    <Tag id={anchorOf(id)}>
      <Inlines content={content} />
    </Tag>
  );
}

function Rule({ id, content }: BlockOf<'rule'>) {
  const number = useBook().numbering.places.get(id)?.number ?? '';
  return (
    <p id={anchorOf(id)} className={css.rule}>
      <span>{number}</span>
      <span>
        <Inlines content={content} />
      </span>
    </p>
  );
}

function BookCallout({ id, kind, title, blocks }: BlockOf<'callout'>) {
  const words = calloutTitle({ kind, title }, useBook().edition.book.language);
  return (
    <aside id={anchorOf(id)} className={css.callout} data-kind={kind} aria-label={words}>
      <strong className={css.calloutTitle}>{words}</strong>
      <Blocks blocks={blocks} />
    </aside>
  );
}

function BookList({ id, marker, items }: BlockOf<'list'>) {
  const Tag = marker === 'steps' ? 'ol' : 'ul';
  return (
    <Tag id={anchorOf(id)}>
      {items.map((item) => (
        <li key={item.id} id={anchorOf(item.id)}>
          <Blocks blocks={item.blocks} />
        </li>
      ))}
    </Tag>
  );
}

function Caption({ content }: { content: Figure['caption'] }) {
  if (content.length === 0) return null;
  return (
    <figcaption>
      <Inlines content={content} />
    </figcaption>
  );
}

function BookTable({ table: { id, caption, headRows, align, rows } }: { table: Table }) {
  const { number, title } = useBook().numbering.places.get(id) ?? { number: '', title: '' };
  return (
    <figure id={anchorOf(id)} className={css.table}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table is scrolled by the keyboard too */}
      <section className={css.scrolls} tabIndex={0} aria-label={`Table ${number} ${title}`.trim()}>
        <table>
          {headRows > 0 && (
            <thead>
              {rows.slice(0, headRows).map((row, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a published text does not change
                <tr key={at}>
                  {row.map((cell, place) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: as above
                    <th key={place} scope="col" data-align={align?.[place]}>
                      <Inlines content={cell} />
                    </th>
                  ))}
                </tr>
              ))}
            </thead>
          )}
          <tbody>
            {rows.slice(headRows).map((row, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: as above
              <tr key={at}>
                {row.map((cell, place) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: as above
                  <td key={place} data-align={align?.[place]}>
                    <Inlines content={cell} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <Caption content={caption} />
    </figure>
  );
}

function BookFigure({ figure: { id, source, alt, caption, width } }: { figure: Figure }) {
  const picture = useBook().figures.get(source);
  return (
    <figure id={anchorOf(id)} className={css.figure}>
      {picture ? (
        <img
          src={picture.address}
          alt={alt}
          width={picture.w}
          height={picture.h}
          loading="lazy"
          style={{ width: `${Math.round(Math.max(0.4, width) * 100)}%` }}
        />
      ) : (
        <p className={css.missing}>{alt || 'A picture that is missing.'}</p>
      )}
      <Caption content={caption} />
    </figure>
  );
}

function CardRow({ cards: { id, names, caption } }: { cards: Cards }) {
  const { cards, onCard } = useBook();
  return (
    <figure id={anchorOf(id)} className={css.figure}>
      <div className={css.cards}>
        {names.map((name, at) => {
          const card = cards.get(name);
          // biome-ignore lint/suspicious/noArrayIndexKey: a card may be shown twice
          if (!card) return <em key={at}>{name}</em>;
          return (
            <button
              // biome-ignore lint/suspicious/noArrayIndexKey: as above
              key={at}
              type="button"
              className={css.card}
              aria-haspopup="dialog"
              onClick={() => onCard(card)}
            >
              <img src={card.address} alt={card.alt} width={card.w} height={card.h} loading="lazy" />
            </button>
          );
        })}
      </div>
      <Caption content={caption} />
    </figure>
  );
}
