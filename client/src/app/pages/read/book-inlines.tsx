import { Fragment } from 'react';
import type { Inline, InlineOf } from '../../../core/book/document/schema.ts';
import { anchorOf, NO_VALUE, useBook } from './book-context.ts';
import css from './read.module.css';

/** The text of a block. */
export function Inlines({ content }: { content: readonly Inline[] }) {
  // biome-ignore lint/suspicious/noArrayIndexKey: a published text does not change
  return content.map((inline, at) => <One key={at} inline={inline} />);
}

function One({ inline }: { inline: Inline }) {
  switch (inline.type) {
    case 'text': {
      let shown = <Fragment>{inline.text}</Fragment>;
      if (inline.marks?.includes('emphasis')) shown = <em>{shown}</em>;
      if (inline.marks?.includes('strong')) shown = <strong>{shown}</strong>;
      return shown;
    }
    case 'break':
      return <br />;
    case 'icon':
      return <Icon name={inline.name} />;
    case 'card':
      return <CardName name={inline.name} />;
    case 'term':
      return <Term {...inline} />;
    case 'reference':
      return <Reference {...inline} />;
    case 'value':
      return <Value formula={inline.formula} />;
  }
}

export function Icon({ name }: { name: string }) {
  const picture = useBook().icons.get(name);
  if (!picture) return <>[{name}]</>;
  return <img className={css.icon} src={picture.address} alt={name} loading="lazy" />;
}

function CardName({ name }: { name: string }) {
  const { cards, onCard } = useBook();
  const card = cards.get(name);
  if (!card) return <em>{name}</em>;
  return (
    <button type="button" className={css.cardName} aria-haspopup="dialog" onClick={() => onCard(card)}>
      {name}
    </button>
  );
}

function Term({ definition: id, text }: InlineOf<'term'>) {
  const { definitions, onTerm } = useBook();
  const definition = definitions.get(id);
  if (!definition) return <>{text}</>;
  return (
    <button
      type="button"
      className={css.term}
      aria-haspopup="dialog"
      onClick={(event) => onTerm(definition, event.currentTarget)}
    >
      {text}
    </button>
  );
}

/** A reference to another block: on the web there are no pages, so that those are shown as its title. */
function Reference({ block, show }: InlineOf<'reference'>) {
  const place = useBook().numbering.places.get(block);
  if (!place) return <>?</>;
  const words = show === 'number' ? place.number || place.title : place.title || place.number;
  return <a href={`#${anchorOf(block)}`}>{words || 'there'}</a>;
}

function Value({ formula }: { formula: string }) {
  return <>{useBook().values.get(formula) ?? NO_VALUE}</>;
}
