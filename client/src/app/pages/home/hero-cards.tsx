import css from './hero-cards.module.css';

const CARDS = [
  {
    name: 'The Lantern',
    kind: 'Relic',
    cost: 2,
    text: 'Look at the top three cards. Keep one, bury the rest.',
    tone: '#2f5d62',
  },
  {
    name: 'Salt Road',
    kind: 'Place',
    cost: 4,
    text: 'When a traveller arrives, draw a card for each debt.',
    tone: '#8a6a1f',
  },
  {
    name: 'Ember Fox',
    kind: 'Companion',
    cost: 1,
    text: 'Once a night, light a fire where there is no wood.',
    tone: '#a8361c',
  },
] as const;

function Emblem({ index }: { index: number }) {
  return (
    <svg viewBox="0 0 120 84" className={css.art} aria-hidden="true">
      <title>Illustration</title>
      {index === 0 && (
        <g>
          <circle cx="60" cy="46" r="30" opacity=".25" />
          <circle cx="60" cy="46" r="19" opacity=".35" />
          <path d="M50 32h20l4 30H46zM54 22h12v8H54zM57 14h6v8h-6z" />
        </g>
      )}
      {index === 1 && (
        <g>
          <circle cx="88" cy="24" r="11" opacity=".4" />
          <path d="M0 70 30 38l18 18 22-30 50 48v10H0z" opacity=".45" />
          <path d="M0 84c30-22 40-2 60-14s30-10 60-2v16z" />
        </g>
      )}
      {index === 2 && (
        <g>
          <path d="M60 80C36 68 34 46 44 30l-8-18 20 12h8l20-12-8 18c10 16 8 38-16 50z" />
          <path d="M60 80c-9-8-11-18-8-26l8 8 8-8c3 8 1 18-8 26z" opacity=".45" fill="#fff" />
        </g>
      )}
    </svg>
  );
}

/** Three cards fanned out. A drawing, not a control. */
export function HeroCards() {
  return (
    <div className={css.fan} aria-hidden>
      {CARDS.map((card, i) => (
        <div key={card.name} className={css.card} style={{ '--tone': card.tone } as React.CSSProperties}>
          <div className={css.head}>
            <strong>{card.name}</strong>
            <span>{card.cost}</span>
          </div>
          <div className={css.picture}>
            <Emblem index={i} />
          </div>
          <em>{card.kind}</em>
          <p>{card.text}</p>
        </div>
      ))}
    </div>
  );
}
