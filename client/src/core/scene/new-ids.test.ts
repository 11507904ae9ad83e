import { expect, test } from 'vitest';
import { withNewIds } from './new-ids.ts';
import { newZone, type ZoneOf } from './zones.ts';

test('copies of spaces and roads are joined to one another, whether they were copied alone or together', () => {
  const box = { x: 0, y: 0, w: 9, h: 9 };
  const a = { ...newZone('space', 'a', 'A', box), links: ['b', 'far'] };
  const b = newZone('space', 'b', 'B', box);
  const road = { ...newZone('path', 'r', 'Road', box), ends: { from: 'a', to: 'b' } };
  const group: ZoneOf<'container'> = { ...newZone('container', 'g', 'Group', box), children: [b] };
  let next = 0;
  const [copyOfA, copyOfRoad, copyOfGroup] = withNewIds([a, road, group], () => `new ${next++}`);
  const inner = (copyOfGroup as ZoneOf<'container'>).children[0];
  expect((copyOfA as ZoneOf<'space'>).links).toEqual([inner?.id, 'far']);
  expect((copyOfRoad as ZoneOf<'path'>).ends).toEqual({ from: copyOfA?.id, to: inner?.id });
  expect(withNewIds([a], () => 'x')[0]?.links).toEqual(['b', 'far']);
  expect([a.id, a.links, b.id]).toEqual(['a', ['b', 'far'], 'b']);
});
