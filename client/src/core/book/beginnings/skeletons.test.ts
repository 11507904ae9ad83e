import { expect, test } from 'vitest';
import { blocksOfProse } from '../prose/convert.ts';
import { replay, stepsOf } from '../prose/steps.ts';
import { SKELETONS } from './skeletons.ts';

test.each(SKELETONS.map((skeleton) => [skeleton.name, skeleton] as const))(
  '%s is a rulebook',
  (_, { blocks }) => {
    const { doc, skipped } = replay(stepsOf(blocks()));
    expect(skipped.size).toBe(0);
    expect(blocksOfProse(doc)).toEqual(blocks());
  },
);
