import type { Found, Search } from '../../core/table/find.ts';

export type FindMethods = {
  find: {
    argument: {
      readonly cells: readonly string[];
      readonly search: Search;
      readonly replacement?: string;
    };
    result: readonly Found[];
    progress: never;
  };
};
