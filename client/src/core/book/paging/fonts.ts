import type { Layout } from '../../scene/layout.ts';
import { newLayout } from '../../scene/new-layout.ts';
import { newZone } from '../../scene/zones.ts';
import { hyphenationOf } from '../../text/hyphenation/hyphenation.ts';
import type { Rulebook } from '../document/schema.ts';
import { charactersOf, formulasIn } from '../document/walk.ts';
import type { Project } from '../typesetting/context.ts';
import { type HouseStyle, ROLES } from '../typesetting/house-style.ts';

/** Characters that the flow sets by itself: numbers, labels, bullets, arrows and the titles of callouts. */
const OWN = '0123456789., ×–→•?[]{}-ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** A layout that needs the same fonts and hyphenation as a rulebook, for `FontLoader`. */
export function fontLayout(doc: Rulebook, house: HouseStyle, project: Project): Layout {
  const values = formulasIn(doc).map((formula) => valueText(project, formula));
  const names = [
    ...project.components.map(({ name }) => name),
    ...(project.setUp && 'legend' in project.setUp ? project.setUp.legend.map(({ words }) => words) : []),
    ...[...project.icons.values()].map(({ meaning }) => meaning),
  ];
  const text = [OWN, charactersOf(doc), ...values, ...names, ...project.icons.keys()].join('\n');
  const hyphenate = hyphenationOf(doc.language);
  const zones = ROLES.map((role) => {
    const zone = newZone('text', role, role, { x: 0, y: 0, w: 10, h: 10 });
    return { ...zone, text, style: { ...house.roles[role].text, hyphenate } };
  });
  return { ...newLayout('Rulebook'), language: doc.language, zones };
}

function valueText({ value }: Project, formula: string): string {
  const result = value(formula);
  return 'text' in result ? result.text : formula;
}
