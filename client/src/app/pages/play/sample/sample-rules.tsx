import { Prose } from '../../../prose/prose.tsx';
import { driftglass } from '../../projects/sample/driftglass.ts';

/** The notes of the game begin with its name, which the window has. */
const RULES = driftglass().notes.replace(/^## .*\n+/, '');

/** The rules of the sample game, from the notes of its project. */
export default function SampleRules() {
  return <Prose source={RULES} />;
}
