// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest';
import { scrollToHash } from './scroll-to-hash.ts';

test('the element that a hash names is shown, and a hash that names none does no harm', () => {
  document.body.innerHTML = '<p id="two words"></p><p id="50%"></p>';
  const shown: string[] = [];
  vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(function (this: Element) {
    shown.push(this.id);
  });
  for (const hash of ['#two%20words', '#50%', '#%', '#gone', '#', '']) scrollToHash(hash);
  expect(shown).toEqual(['two words', '50%']);
});
