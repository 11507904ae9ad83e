import { expect, test } from 'vitest';
import { driftglass } from '../../app/pages/projects/sample/driftglass.ts';
import { readCommon, readFace } from '../../core/play/protocol/looks.ts';
import { packSample } from './sample-table.ts';

test('the sample game is packed whole, without ids of a project', async () => {
  const { name, box, setUp, seats } = await packSample(driftglass());
  const cards = driftglass().components.flatMap(({ cards }) => cards);
  expect([name, seats.length, box.definitions.length]).toEqual(['Driftglass', 4, cards.length]);
  expect(box.definitions.map(({ face }) => readFace(face)?.name)).toEqual(
    cards.map(({ cells }) => cells['name']),
  );
  expect(box.definitions.map(({ copies }) => copies)).toEqual(cards.map(({ copies }) => copies));
  expect(readCommon(box.common)?.layouts).toHaveLength(2);
  expect(JSON.stringify(box)).not.toMatch(/"source"|"component"/);
  expect(setUp.steps.map((step) => step.do)).toContain('shuffle');
});

test('a game that needs more than its documents is refused by the build', async () => {
  const [front, ...rest] = driftglass().layouts;
  if (!front) throw new Error('no layout');
  const zones = front.scene['zones'] as { kind: string }[];
  const alike = zones.map((zone) => (zone.kind === 'text' ? { ...zone, fit: 'group' } : zone));
  const grouped = { ...front, scene: { ...front.scene, zones: alike } };
  const game = { ...driftglass(), layouts: [grouped, ...rest] };
  await expect(packSample(game)).rejects.toThrow('set alike');
  const pictured = { ...driftglass(), images: [{ path: 'a.png', bytes: new Uint8Array(), facts: {} }] };
  await expect(packSample(pictured)).rejects.toThrow('images of its own');
});
