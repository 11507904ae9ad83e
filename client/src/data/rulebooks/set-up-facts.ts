import type { SetUpProblem } from '../../core/book/typesetting/context.ts';
import { isPlayed, PackError, TooMuchError } from '../../core/play/box/pack.ts';
import { type DrawnRow, type SetUpPicture, setUpPicture } from '../../core/play/set-up/set-up-picture.ts';
import type { LayoutDocument, WithId } from '../documents/documents.ts';
import { packPart } from '../play/parts.ts';
import { type ProjectPart, projectParts } from '../project/project-parts.ts';

type Parts = readonly Pick<ProjectPart, 'component' | 'cards'>[];
type Layouts = readonly WithId<LayoutDocument>[];
type Facts = SetUpPicture<DrawnRow> | SetUpProblem;

/** Advice of the table, such as to choose fewer components, is for those who open one. */
const TOO_MUCH =
  'This project has more than one table holds, so there is no picture of it: show a picture of your own instead.';

/** The picture for a project that has not changed: it takes a while for thousands of cards, and text changes often. */
const made = new WeakMap<Parts, WeakMap<Layouts, Facts>>();

/** The table of a project as a game begins, or the reason why nothing lies on it. */
export function setUpFacts(parts: Parts, layouts: Layouts): Facts {
  const own = made.get(parts) ?? new WeakMap<Layouts, Facts>();
  made.set(parts, own);
  const known = own.get(layouts) ?? make(parts, layouts);
  own.set(layouts, known);
  return known;
}

function make(parts: Parts, layouts: Layouts): Facts {
  const played = parts
    .filter(({ component }) => isPlayed(component.kind))
    .flatMap(({ component, cards }) => projectParts(component, cards, layouts).map(packPart));
  try {
    return setUpPicture(played);
  } catch (error) {
    if (error instanceof TooMuchError) return { problem: TOO_MUCH };
    if (error instanceof PackError) return { problem: error.message };
    throw error;
  }
}
