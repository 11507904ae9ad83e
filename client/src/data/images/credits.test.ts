import { expect, test } from 'vitest';
import { creditLines, creditsText } from './credits.ts';

test('images of one author and licence share a line; what nothing is known of comes last', () => {
  const lines = creditLines([
    { path: 'z.png', credit: '', licence: '' },
    { path: 'b.png', credit: 'Ann', licence: 'CC BY 4.0' },
    { path: 'sword.png', credit: 'Icon “sword” by Lorc', licence: 'CC BY 3.0' },
    { path: 'a.png', credit: 'Ann ', licence: 'CC BY 4.0' },
    { path: 'own.png', credit: '', licence: 'My own work' },
  ]);
  expect(lines).toEqual([
    { credit: '', licence: 'My own work', paths: ['own.png'] },
    { credit: 'Ann', licence: 'CC BY 4.0', paths: ['a.png', 'b.png'] },
    { credit: 'Icon “sword” by Lorc', licence: 'CC BY 3.0', paths: ['sword.png'] },
    { credit: '', licence: '', paths: ['z.png'] },
  ]);
  expect(creditsText(lines)).toBe('own.png. My own work.\nAnn. CC BY 4.0.\nIcon “sword” by Lorc. CC BY 3.0.');
});
