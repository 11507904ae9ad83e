import fc from 'fast-check';
import { produce } from 'immer';
import { describe, expect, test } from 'vitest';
import { layoutInLanguage } from '../translation/cards/in-language.ts';
import { foldLanguage, ownPaths, resetLanguage, zoneInLanguage } from './language-view.ts';
import { type Layout, layoutSchema } from './layout.ts';
import { newLayout } from './new-layout.ts';
import type { TextZone } from './zones/text.ts';
import { newZone, type ZoneOf } from './zones.ts';

function stored(): Layout {
  const box = { x: 1, y: 2, w: 20, h: 10 };
  const group = newZone('container', 'group', 'Group', { x: 0, y: 0, w: 60, h: 60 });
  return layoutSchema.parse({
    ...newLayout('L'),
    zones: [
      newZone('text', 'title', 'Title', box),
      { ...group, children: [newZone('text', 'inner', 'Inner', box)] },
      newZone('shape', 'frame', 'Frame', box),
    ],
  });
}

const view = (layout: Layout, language: string): Layout => layoutInLanguage('l', layout, new Map(), language);
const title = ({ zones }: Layout): TextZone => zones[0] as TextZone;
const group = ({ zones }: Layout): ZoneOf<'container'> => zones[1] as ZoneOf<'container'>;

/** The document after changes made in the view of a language. */
function edited(layout: Layout, language: string, recipe: (draft: Layout) => void): Layout {
  const before = view(layout, language);
  const after = foldLanguage(layout, before, produce(before, recipe), language);
  expect(layoutSchema.parse(after)).toEqual(after);
  return after;
}

describe('a layout in one language', () => {
  test('place, size and type are the language’s own, everything else is that of all', () => {
    const layout = edited(stored(), 'ar', (draft) => {
      const zone = title(draft);
      zone.x = 30;
      zone.style.family = 'noto-sans-arabic';
      zone.style.size = 14;
      zone.style.color = '#112233';
      zone.name = 'Heading';
      draft.name = 'Renamed';
    });
    expect(layout.name).toBe('Renamed');
    expect('language' in layout).toBe(false);
    expect(title(layout)).toMatchObject({
      x: 1,
      name: 'Heading',
      style: { family: 'eb-garamond', size: 10, color: '#112233', align: 'left' },
      languages: { ar: { x: 30, style: { family: 'noto-sans-arabic', size: 14 } } },
    });
    expect(ownPaths(title(layout), 'ar')).toEqual(['x', 'style.family', 'style.size']);
    expect(title(view(layout, 'ar'))).toMatchObject({
      x: 30,
      style: { family: 'noto-sans-arabic', size: 14, align: 'start' },
    });
    expect(title(view(layout, 'de'))).toMatchObject({
      x: 1,
      style: { family: 'eb-garamond', align: 'left' },
    });
  });

  test('what is set back to the value of all languages is no longer the language’s own', () => {
    const moved = edited(stored(), 'ja', (draft) => {
      title(draft).x = 30;
    });
    const back = edited(moved, 'ja', (draft) => {
      title(draft).x = 1;
    });
    expect(title(back)).toEqual(title(stored()));
    expect('languages' in title(back)).toBe(false);
  });

  test('a side can be that of all languages although the language would mirror it', () => {
    const layout = edited(stored(), 'ar', (draft) => {
      title(draft).style.align = 'left';
    });
    expect(title(view(layout, 'ar')).style.align).toBe('left');
    const reset = edited(layout, 'ar', (draft) => resetLanguage(title(draft), 'ar', ['style.align']));
    expect(title(view(reset, 'ar')).style.align).toBe('start');
  });

  test('reset takes out one property, or all of them', () => {
    const layout = edited(stored(), 'ja', (draft) => {
      Object.assign(title(draft), { x: 30, w: 5 });
      title(draft).style.size = 7;
    });
    const one = edited(layout, 'ja', (draft) => resetLanguage(title(draft), 'ja', ['style.size']));
    expect(ownPaths(title(one), 'ja')).toEqual(['x', 'w']);
    expect('languages' in title(edited(one, 'ja', (draft) => resetLanguage(title(draft), 'ja')))).toBe(false);
  });

  test('zones that are made, moved or deleted are so in all languages', () => {
    const own = edited(stored(), 'ar', (draft) => {
      title(draft).x = 30;
    });
    const layout = edited(own, 'ar', (draft) => {
      const [zone] = draft.zones.splice(0, 1);
      const holder = draft.zones[0] as ZoneOf<'container'>;
      if (zone) holder.children.push({ ...zone, x: 7 } as never);
      draft.zones.push(newZone('text', 'new', 'New', { x: 5, y: 5, w: 5, h: 5 }));
      draft.zones = draft.zones.filter(({ id }) => id !== 'frame');
    });
    expect(layout.zones.map(({ id }) => id)).toEqual(['group', 'new']);
    const moved = (layout.zones[0] as ZoneOf<'container'>).children[1];
    // Its place in the other zone means nothing in the one where it was.
    expect(moved).toMatchObject({ id: 'title', x: 7 });
    expect(moved && zoneInLanguage(moved, 'ar').x).toBe(7);
  });

  test('a view that nothing was changed in leaves the document itself', () => {
    const layout = stored();
    const before = view(layout, 'ar');
    expect(foldLanguage(layout, before, before, 'ar')).toBe(layout);
    const touched = edited(layout, 'ar', (draft) => {
      group(draft).children[0] = { ...group(draft).children[0], h: 3 } as never;
    });
    expect(touched.zones[0]).toBe(layout.zones[0]);
    expect(touched.zones[2]).toBe(layout.zones[2]);
  });

  test('the view after any changes is the view that was changed, and other languages keep theirs', () => {
    const change = fc.record(
      {
        x: fc.integer({ min: -20, max: 90 }),
        h: fc.integer({ min: 1, max: 60 }),
        hidden: fc.boolean(),
        size: fc.integer({ min: 4, max: 30 }),
        align: fc.constantFrom('left', 'center', 'right', 'justify', 'start', 'end'),
        direction: fc.constantFrom('auto', 'ltr', 'rtl'),
      },
      { requiredKeys: [] },
    );
    const act = fc.tuple(fc.constantFrom('ar', 'ja', 'he'), fc.constantFrom('title', 'inner'), change);
    fc.assert(
      fc.property(fc.array(act, { maxLength: 12 }), (acts) => {
        let layout = stored();
        for (const [language, id, { x, h, hidden, ...style }] of acts) {
          const others = ['ar', 'ja', 'he', 'de'].filter((one) => one !== language);
          const kept = others.map((one) => view(layout, one));
          let wanted: TextZone | undefined;
          layout = edited(layout, language, (draft) => {
            const zone = (id === 'title' ? title(draft) : group(draft).children[0]) as TextZone;
            const places = { x, h, hidden };
            for (const [key, value] of Object.entries(places)) {
              if (value !== undefined) Object.assign(zone, { [key]: value });
            }
            Object.assign(zone.style, style);
            wanted = JSON.parse(JSON.stringify(zone)) as TextZone;
          });
          const seen = view(layout, language);
          const zone = (id === 'title' ? title(seen) : group(seen).children[0]) as TextZone;
          expect({ ...zone, languages: null }).toEqual({ ...wanted, languages: null });
          const without = (one: Layout): unknown =>
            JSON.parse(
              JSON.stringify(one, (key, value: unknown) => (key === 'languages' ? undefined : value)),
            );
          for (const [at, one] of others.entries()) {
            expect(without(view(layout, one))).toEqual(without(kept[at] as Layout));
          }
        }
      }),
      { numRuns: 100 },
    );
  });
});
