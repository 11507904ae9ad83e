import type { Format } from '../format.ts';
import { StoreError } from '../project/store.ts';

export const RULEBOOK: Format = {
  summary: 'a rulebook to read, with bookmarks, links and tags',
  ending: () => 'pdf',
  named: 'rulebook',
  updates: false,
  rulebook: 'needed',
  plan({ rulebook }) {
    if (!rulebook) throw new StoreError('The project has no rulebook.');
    return { kind: 'rulebook', rulebook };
  },
};
