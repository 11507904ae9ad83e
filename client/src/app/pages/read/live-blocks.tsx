import type { CSSProperties } from 'react';
import type { Live } from '../../../core/book/document/schema.ts';
import { anchorOf, useBook } from './book-context.ts';
import { Icon, Inlines } from './book-inlines.tsx';
import css from './read.module.css';

/** A block made from the text or the project, as they were when the rulebook was published. */
export function LiveBlock({ id, show }: { id: string; show: Live['show'] }) {
  switch (show) {
    case 'contents':
      return (
        <nav id={id} aria-label="Contents in the text" className={css.contentsBlock}>
          <ContentsList />
        </nav>
      );
    case 'glossary':
      return <Glossary id={id} />;
    case 'index':
      return <IndexOfTerms id={id} />;
    case 'components':
      return <ComponentList id={id} />;
    case 'icons':
      return <IconLegend id={id} />;
    case 'setup':
      return <SetUpFigure id={id} />;
  }
}

/** Deepest headings of the contents. */
const CONTENTS_LEVELS = 3;

/** The headings, each a link. */
export function ContentsList({ onChoose }: { onChoose?: () => void }) {
  const { headings } = useBook().numbering;
  const shown = headings.filter(({ level, title }) => level <= CONTENTS_LEVELS && title !== '');
  return (
    <ol className={css.contents}>
      {shown.map(({ id, level, title }) => (
        <li key={id} data-level={level}>
          <a href={`#${anchorOf(id)}`} onClick={onChoose}>
            {title}
          </a>
        </li>
      ))}
    </ol>
  );
}

function Glossary({ id }: { id: string }) {
  const { terms } = useBook();
  return (
    <dl id={id} className={css.glossary}>
      {terms.map(({ definition }) => (
        <div key={definition.id}>
          <dt>
            <a href={`#${anchorOf(definition.id)}`}>{definition.term}</a>
          </dt>
          <dd>
            <Inlines content={definition.content} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Each term with the headings below which it is used. */
function IndexOfTerms({ id }: { id: string }) {
  const { terms, headingOf } = useBook();
  return (
    <dl id={id} className={css.glossary}>
      {terms.map(({ definition, blocks }) => {
        const places = new Map(blocks.map((block) => [headingOf.get(block)?.id ?? block, block]));
        return (
          <div key={definition.id}>
            <dt>
              <a href={`#${anchorOf(definition.id)}`}>{definition.term}</a>
            </dt>
            <dd>
              {[...places].map(([heading, block], at) => (
                <span key={heading}>
                  {at > 0 && ', '}
                  <a href={`#${anchorOf(block)}`}>{headingOf.get(block)?.title || 'beginning'}</a>
                </span>
              ))}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

function ComponentList({ id }: { id: string }) {
  const { components, cards } = useBook().edition;
  const pictureOf = (card: string | undefined) => cards.find(({ name }) => name === card);
  const pictured = components.some(({ card }) => pictureOf(card) !== undefined);
  return (
    <table id={id} className={css.plainTable}>
      <tbody>
        {components.map(({ name, count, card }) => {
          const picture = pictureOf(card);
          return (
            <tr key={name}>
              {pictured && (
                <td>
                  {picture && (
                    <img
                      className={css.componentPicture}
                      src={picture.address}
                      alt=""
                      width={picture.w}
                      height={picture.h}
                      loading="lazy"
                    />
                  )}
                </td>
              )}
              <td>{count} ×</td>
              <td>{name}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function IconLegend({ id }: { id: string }) {
  return (
    <table id={id} className={css.plainTable}>
      <tbody>
        {useBook().edition.icons.map(({ name }) => (
          <tr key={name}>
            <td>
              <Icon name={name} />
            </td>
            <td>{name}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The table as a game begins, with the numbers of its parts and what each is. */
function SetUpFigure({ id }: { id: string }) {
  const { setUp } = useBook().edition;
  if (!setUp) return null;
  const { picture, legend } = setUp;
  return (
    <figure id={id} className={css.figure}>
      <div className={css.setUp} style={{ '--ratio': picture.w / picture.h } as CSSProperties}>
        <img src={picture.address} alt={picture.alt} width={picture.w} height={picture.h} loading="lazy" />
        {legend.map(({ words, x, y }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a published text does not change, and names may be alike
          <span key={at} aria-hidden title={words} style={{ left: `${x * 100}%`, top: `${y * 100}%` }}>
            {at + 1}
          </span>
        ))}
      </div>
      <figcaption>
        <ol className={css.setUpLegend}>
          {legend.map(({ words }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: as above
            <li key={at}>{words}</li>
          ))}
        </ol>
      </figcaption>
    </figure>
  );
}
