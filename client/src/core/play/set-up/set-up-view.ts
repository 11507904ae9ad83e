import type { PackedBox } from '../box/pack.ts';
import type { SetUp, Step } from '../box/set-up.ts';
import { readBack, readCommon, readFace } from '../protocol/looks.ts';
import type { ContainerKind, Facing, Handle, Shown, ShownContainer } from '../protocol/messages.ts';
import type { TableView } from '../view/view.ts';

export type SetUpView = Pick<TableView, 'pieces' | 'faces' | 'backs' | 'common'>;

/** Fields of a step that places something, as `suggestedSetUp` writes them. */
interface Placing {
  readonly place: {
    readonly container?: {
      readonly kind: ContainerKind;
      readonly name: string;
      readonly size?: readonly [number, number];
      readonly arrangement?: ShownContainer['arrangement'];
    };
    readonly set?: number;
    readonly pieces?: { readonly definition: number };
  };
  readonly to: {
    readonly at?: { readonly x: number; readonly y: number };
    readonly into?: { readonly name: string };
  };
  readonly face?: Facing;
}

/**
 * The table after a suggested set-up, as somebody sees it who has no seat. Hands are empty and lie beside it; of a
 * shuffled pile that lies face up, the last piece of its set stands for the top one.
 */
export function setUpView({ box, components }: PackedBox, { steps }: SetUp): SetUpView {
  const pieces = new Map<Handle, Shown>();
  const named = new Map<string, Handle>();
  const add = (shown: Omit<Shown, 'z'>): Handle => {
    const handle = `s${pieces.size}`;
    pieces.set(handle, { ...shown, z: pieces.size });
    return handle;
  };
  const piece = (no: number, facing: Facing, where: Pick<Shown, 'x' | 'y' | 'surface' | 'holder' | 'at'>) => {
    const back = box.definitions[no]?.back;
    const kind = back === undefined ? undefined : box.backs[back]?.kind;
    add({
      ...where,
      facing,
      ...(kind && { kind }),
      ...(back !== undefined && { back }),
      ...(facing === 'up' && { face: no }),
    });
  };
  for (const { place, to, face = 'up' } of placings(steps)) {
    const { x = 0, y = 0 } = to.at ?? {};
    if (place.container) {
      const { kind, name, size = [0, 0], arrangement = 'free' } = place.container;
      const container = { kind, arrangement, policy: null, size, count: 0 };
      named.set(name, add({ surface: 0, x, y, kind: 'container', name, container }));
    } else if (place.pieces) {
      piece(place.pieces.definition, face, { surface: 0, x, y });
    } else {
      const holder = named.get(to.into?.name ?? '');
      const into = holder === undefined ? undefined : pieces.get(holder);
      if (holder === undefined || !into?.container) continue;
      let count = into.container.count ?? 0;
      const members = components.find(({ set }) => set === place.set)?.definitions ?? [];
      for (const { no, copies } of members) {
        for (let copy = 0; copy < copies; copy++) piece(no, face, { holder, at: count++, x: 0, y: 0 });
      }
      pieces.set(holder, { ...into, container: { ...into.container, count } });
    }
  }
  return {
    pieces,
    faces: new Map(box.definitions.map((definition, no) => [no, readFace(definition.face)])),
    backs: new Map(box.backs.map(({ look }, no) => [no, readBack(look)])),
    common: readCommon(box.common),
  };
}

const placings = (steps: readonly Step[]): readonly Placing[] =>
  steps.filter(({ do: verb }) => verb === 'place') as unknown as readonly Placing[];
