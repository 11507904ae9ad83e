import type { Generator } from './ideas.ts';

/** Lists and sentences on one subject, to begin with. */
export interface Pack {
  readonly name: string;
  readonly generators: readonly Generator[];
  readonly sentences: readonly string[];
}

/** Words of one line, which are easier to read and to add to than one a line. */
const list = (name: string, words: string): Generator => ({ name, words: words.split(' / ') });

export const PACKS: readonly Pack[] = [
  {
    name: 'People with a trade',
    generators: [
      list(
        'trade',
        'lamplighter / cartographer / beekeeper / smuggler / bell founder / ferrywoman / glassblower / night watchman / apothecary / bookbinder / locksmith / salt merchant',
      ),
      list(
        'habit',
        'never sleeps / collects debts / talks to birds / owes everybody a favour / cannot lie / is looking for a twin / knows every door in town / is older than they look',
      ),
    ],
    sentences: ['A(n) {trade} who {habit} hires a(n) {trade} who {habit}.'],
  },
  {
    name: 'Places worth a map',
    generators: [
      list(
        'place',
        'island that moves / market under a bridge / city built on ships / monastery of clockmakers / forest of glass / mine without a floor / harbour in the desert / town with one street / garden on a roof / tower that grows',
      ),
      list(
        'trouble',
        'the water rises / nobody leaves at night / two mayors rule / the maps are wrong / winter stays / the bells ring by themselves / bread has run out',
      ),
    ],
    sentences: ['Players live in a(n) {place}, where {trouble}.'],
  },
  {
    name: 'Beasts',
    generators: [
      list('body', 'stag / heron / badger / toad / moth / eel / hare / crab / owl / boar'),
      list(
        'matter',
        'of smoke / of old iron / of paper / of river mud / of starlight / of frost / of brambles',
      ),
      list(
        'power',
        'steals sounds / swaps the places of two things / eats names / carries lost travellers / grows when looked at / copies the last move / leaves gold where it sleeps',
      ),
    ],
    sentences: ['A(n) {body} {matter} that {power}. It has {2–9} lives.'],
  },
  {
    name: 'Goods and trade',
    generators: [
      list('good', 'amber ×2 / saffron / tin / wool ×3 / ink / salt ×3 / cork / silk / honey ×2 / timber ×3'),
      list(
        'deal',
        'in exchange for a promise / at twice its price / to whoever asks first / for a ride across the river / blindly / only on rainy days',
      ),
    ],
    sentences: ['Sell {1–6} {good} {deal}, and get {1–3} {good}.'],
  },
  {
    name: 'Powers of a player',
    generators: [
      list(
        'when',
        'once a round / when you pass / at the start of your turn / whenever somebody draws / if you are last / before scoring / when a die shows 1',
      ),
      list(
        'effect',
        'look at {1–3} hidden cards / take back a card that you played / swap seats / pay one less / move without being seen / copy a neighbour’s last action / keep one card for the next round',
      ),
    ],
    sentences: ['The power of this side: {when}, you may {effect}.'],
  },
  {
    name: 'Ends of a game',
    generators: [
      list(
        'end',
        'the last tile is laid / somebody has seven of a kind / the deck has been shuffled twice / all lights are out / nobody can move / the third messenger arrives',
      ),
      list(
        'score',
        'whoever has the most empty spaces / the shortest road / the most even set / whoever gave most away / the only one without debts / the middle score',
      ),
    ],
    sentences: ['The game ends when {end}. {The winner is|It is won by} {score}.'],
  },
  {
    name: 'Pieces in the box',
    generators: [
      list(
        'piece',
        '{20–60} cards / a ring of wooden discs / six dice with letters / a cloth map / {2–5} bags of stones / a deck that is a calendar / twelve keys / a marble / a sand timer',
      ),
      list(
        'use',
        'is both money and time / is shared by all players / is never seen by its owner / may be torn / stands for the weather / changes hands every round',
      ),
    ],
    sentences: ['All you need: {piece}, {piece} and {piece}; one of them {use}.'],
  },
  {
    name: 'Families and feuds',
    generators: [
      list(
        'house',
        'the bakers / the ferry owners / the two old theatres / the clock guild / the northern cousins / the beggars’ council / the school of fencing',
      ),
      list(
        'want',
        'the mill / a place at the table / an apology / the same ship / the last good well / the right to ring the bells / to be forgotten',
      ),
      list(
        'secret',
        'a forged will / a hidden heir / an old kindness / a broken oath / a cellar full of letters',
      ),
    ],
    sentences: ['{house} and {house} both want {want}, and a third party knows of {secret}.'],
  },
];
