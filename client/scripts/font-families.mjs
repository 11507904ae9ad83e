/** Families every page knows at once, then those that only fill in for characters the others lack. */
export const BUILT_IN = [
  {
    id: 'eb-garamond',
    weights: [400, 700],
    subsets: ['latin', 'latin-ext', 'cyrillic', 'greek', 'vietnamese'],
  },
  { id: 'lora', weights: [400, 700], subsets: ['latin', 'latin-ext', 'cyrillic', 'vietnamese'] },
  { id: 'cinzel', weights: [400, 700], subsets: ['latin', 'latin-ext'] },
  { id: 'inter', weights: [400, 700], subsets: ['latin', 'latin-ext', 'cyrillic', 'greek', 'vietnamese'] },
  { id: 'oswald', weights: [400, 700], subsets: ['latin', 'latin-ext', 'cyrillic', 'vietnamese'] },
  { id: 'bebas-neue', weights: [400], subsets: ['latin', 'latin-ext'] },
  { id: 'noto-sans-symbols', weights: [400], subsets: ['symbols'], fallbackOnly: true },
  { id: 'noto-sans-symbols-2', weights: [400], subsets: ['math', 'symbols'], fallbackOnly: true },
  { id: 'noto-sans-hebrew', weights: [400, 700], subsets: ['hebrew'], upright: true },
  { id: 'noto-sans-arabic', weights: [400, 700], subsets: ['arabic'], upright: true },
  { id: 'noto-sans-thai', weights: [400, 700], subsets: ['thai'], upright: true },
  {
    id: 'noto-color-emoji',
    weights: [400],
    // The parts of this family have no COLR table, which is what browsers paint; the whole has.
    subsets: ['emoji'],
    fallbackOnly: true,
    colour: true,
  },
];

/**
 * Families for Chinese, Japanese and Korean: variable fonts in about a hundred files each, of which a card loads those
 * that it needs. They are a pack beside the program, because they are 18 MB.
 */
export const EAST_ASIAN = ['noto-sans-jp', 'noto-sans-sc', 'noto-sans-tc', 'noto-sans-kr'];

/** Families of the library: loaded once somebody is signed in, or a layout names one of them. */
export const LIBRARY = `
abril-fatface alegreya alegreya-sc alfa-slab-one almendra amatic-sc anton architects-daughter 
archivo-narrow audiowide baloo-2 bangers barlow barlow-condensed bitter black-ops-one boogaloo 
caesar-dressing cardo caveat changa-one chewy cinzel-decorative cormorant-garamond 
cormorant-unicase courier-prime creepster crimson-text eagle-lake eater electrolize federo 
fira-sans-condensed fjalla-one forum fredoka fugaz-one great-vibes grenze-gotisch 
im-fell-english im-fell-english-sc jetbrains-mono jim-nightshade josefin-sans kaushan-script 
lato league-spartan libre-baskerville lilita-one limelight lobster luckiest-guy macondo 
marcellus medievalsharp merriweather metal-mania metamorphous michroma monoton montserrat 
new-rocker nosifer nunito open-sans orbitron oxanium pacifico parisienne passion-one 
patrick-hand permanent-marker pirata-one playfair-display poiret-one poppins press-start-2p 
pt-sans quantico rajdhani raleway righteous roboto roboto-condensed rubik russo-one rye 
sancreek satisfy share-tech-mono smokum source-sans-3 special-elite spectral staatliches 
tangerine teko texturina titan-one uncial-antiqua unifrakturcook vollkorn vt323 work-sans 
zilla-slab
`
  .trim()
  .split(/\s+/);

/** Copyright lines of families whose packages name only who publishes them; as in the fonts' own name tables. */
export const COPYRIGHTS = {
  'fira-sans-condensed': 'Copyright (c) 2012-2015, The Mozilla Foundation and Telefonica S.A.',
  'im-fell-english': 'Copyright (c) 2010, Igino Marini (www.iginomarini.com)',
  'im-fell-english-sc': 'Copyright (c) 2010, Igino Marini (www.iginomarini.com)',
  'noto-sans-jp': "(c) 2014-2021 Adobe (http://www.adobe.com/), with Reserved Font Name 'Source'.",
  'noto-sans-sc': "(c) 2014-2021 Adobe (http://www.adobe.com/), with Reserved Font Name 'Source'.",
  'noto-sans-tc': "(c) 2014-2021 Adobe (http://www.adobe.com/), with Reserved Font Name 'Source'.",
  'noto-sans-kr': "(c) 2014-2021 Adobe (http://www.adobe.com/), with Reserved Font Name 'Source'.",
  'source-sans-3': "Copyright 2010-2020 Adobe (http://www.adobe.com/), with Reserved Font Name 'Source'",
};
