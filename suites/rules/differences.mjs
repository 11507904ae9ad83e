// Deliberate differences from the emulator, with their reasons in the table of docstore/rules/README.md.

const BY_EXPRESSION = [
  [/toSet\(\) is set/, 'a set is a set'],
  [/\bbool\(/, 'bool() is documented'],
  [/isInfinite\(/, 'math.isInfinite() is documented'],
  [/😀/u, 'strings are measured in characters'],
  [/\.values\(\)/, 'the values of a map are in the order of its keys'],
  [/^request\.keys\(\)/, 'the emulator has undocumented properties in `request`'],
  [/^request\.time/, 'the two clocks differ'],
  [/^6 ?\/2$/, 'a division needs no blanks'],
  [/^debug\(1,2\)/, 'debug() has one argument'],
  [/1000000000\.0\)$/, 'floats are written with the fewest digits that name them'],
  [/\.bind\(\{\}\)$/, 'binding nothing changes nothing'],
  [/'\$5'/, 'a replacement that names a missing group is an error'],
];

/** The reason for a difference, or `undefined`. */
export function deliberate(one) {
  const expression = one.expression;
  if (expression === undefined) return undefined;
  return BY_EXPRESSION.find(([pattern]) => pattern.test(expression))?.[1];
}
