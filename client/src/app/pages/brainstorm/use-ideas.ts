import { useState } from 'react';
import { randomFrom } from '../../../core/random.ts';
import { drawIdea, type Generator, type Piece } from './ideas.ts';
import { listsOf, type Shared } from './share.ts';

/** Ideas drawn last that stay in sight. */
const SHOWN = 6;
/** Letters and digits of a seed: enough that no two ideas have one by chance. */
const SEED_LENGTH = 10;

/** An idea that was drawn. */
export interface Idea {
  readonly id: number;
  readonly sentence: string;
  /** Source of its words, with the lists and the words that stayed when it was drawn. */
  readonly seed: string;
  readonly stayed: ReadonlyMap<number, string>;
  readonly pieces: readonly Piece[];
  /** Numbers of the places whose words stay when the rest is drawn again. */
  readonly locked: ReadonlySet<number>;
}

const newSeed = (): string => crypto.randomUUID().replaceAll('-', '').slice(0, SEED_LENGTH);

/** An idea with all that drawing it again needs, for a link. */
export const sharedIdea = ({ sentence, seed, stayed }: Idea, generators: readonly Generator[]): Shared => ({
  generators: listsOf(sentence, generators),
  sentences: [sentence],
  idea: { sentence, seed, locked: [...stayed] },
});

/** Draws ideas from lists and sentences, and draws parts of the newest again. */
export function useIdeas(generators: readonly Generator[], sentences: readonly string[]) {
  const [ideas, setIdeas] = useState<readonly Idea[]>([]);
  const draw = (count: number) => {
    const first = (ideas[0]?.id ?? 0) + 1;
    const drawn = Array.from({ length: count }, (_, at): Idea => {
      const sentence = sentences[Math.floor(Math.random() * sentences.length)] ?? '';
      const seed = newSeed();
      const pieces = drawIdea(sentence, generators, randomFrom(seed));
      return { id: first + at, sentence, seed, stayed: new Map(), pieces, locked: new Set() };
    });
    setIdeas([...drawn.reverse(), ...ideas].slice(0, SHOWN));
  };
  const changeNewest = (change: (newest: Idea) => Partial<Idea>) =>
    setIdeas((all) => all.map((one, at) => (at === 0 ? { ...one, ...change(one) } : one)));
  const lock = (place: number) =>
    changeNewest(({ locked }) => ({
      locked: new Set(locked.has(place) ? [...locked].filter((one) => one !== place) : [...locked, place]),
    }));
  const redraw = () =>
    changeNewest(({ sentence, pieces, locked }) => {
      const stayed = new Map(
        pieces.flatMap(({ place, text }) =>
          place !== null && locked.has(place) ? [[place, text] as const] : [],
        ),
      );
      const seed = newSeed();
      return { seed, stayed, pieces: drawIdea(sentence, generators, randomFrom(seed), stayed) };
    });
  return { ideas, draw, lock, redraw };
}
