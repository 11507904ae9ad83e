import { expect, test } from 'vitest';
import { takesAn } from './article.ts';

const AN = `
  apple eagle island otter umbrella urn urchin usher utter ulna ugly uncle under unable unarmed unanswered undead
  unidentified unimportant uninvited uninhabited unironed unillustrated upper urban urgent Uruk Uber Uzbek
  Ewok evil onerous only onion ounce ouch oboe oasis
  hour hourglass hourly honest honestly honour honor honourable honorary heir heiress heirloom
  Yggdrasil yttrium Yvonne
  éclair épée über øre æther œuvre
  8 8th 80 800 8-ball 11 11th 18 18th 11,000 1800s 18%
  F FBI X-ray x-axis f-stop NPC HTML MP3 SOS LED RPG e-mail hors-d’œuvre`;
const A = `
  fox house horse hotel hero herb houri homage hundred
  ukulele Ukrainian unicorn union unique unit unity universe university unicycle uniform unilateral unison
  unidirectional unimodal unanimous unary uranium Uranus urine urologist usage use useful user usual usurper utensil
  utility utopia uterus uvula uvea ubiquitous Ugandan Ulysses Uruguayan Uyghur UFO ufologist
  euro eulogy European eureka ewe ewer
  one one-eyed one-off once once-great oneness Ouija Oaxacan
  yak yew year Yorick y-axis
  1 1st 10 17 100 110 118 180 1,100 2 7 9 20
  U U-boat u-turn UK B BBC CPU DVD K9 GM TV PDF`;
const words = (list: string): string[] => list.trim().split(/\s+/);

test.each(words(AN))('an %s', (word) => {
  expect(takesAn(word)).toBe(true);
});

test.each(words(A))('a %s', (word) => {
  expect(takesAn(word)).toBe(false);
});

test('marks before a word are not read', () => {
  expect(takesAn('“hour” of need')).toBe(true);
  expect(takesAn('**honest** thief')).toBe(true);
  expect(takesAn('(unicorn)')).toBe(false);
  expect(takesAn('')).toBe(false);
});
