import { FUNCTIONS, IF_USAGE, LANG_USAGE } from '../../../core/expression/expression.ts';
import { ROW_NAMES } from '../../../core/expression/row-scope.ts';
import { MAX_ITEMS } from '../../../core/scene/limits.ts';
import type { Topic } from './topics.ts';

const cell = (text: string): string => `\`${text}\``;
const functionRows = [
  `| ${cell(IF_USAGE.usage)} | ${IF_USAGE.gives} |`,
  `| ${cell(LANG_USAGE.usage)} | ${LANG_USAGE.gives} |`,
  ...FUNCTIONS.map(({ usage, gives }) => `| ${cell(usage)} | ${gives} |`),
].join('\n');
const names = ROW_NAMES.map(({ name, gives }) => `\`${name}\` (${gives})`).join(' and ');

/** The guide to formulas; the functions come from the list that works them out. */
export const FORMULAS_TOPIC: Topic = {
  title: 'Formulas',
  words: `
Any property of a zone can be driven by a column or worked out by a formula: choose **Formula** under **Content** or **Fill**, or **Drive a property** for the rest. Inside text, a formula stands in double braces: \`Costs {{ cost * 2 }} gold\`. **Shown when** leaves a zone out of the cards for which its formula says no.

A column goes by its name: \`cost\`; a name with spaces stands in brackets: \`[Attack power]\`. Besides the columns there are ${names}. Text stands in quotes. Small and capital letters count alike when names or texts are compared.

Numbers are reckoned with \`+ - * / % ^\`, text is joined with \`&\`. \`= != < <= > >=\` compare, \`and\`, \`or\` and \`not\` connect, \`test ? this : that\` chooses, and \`first ?? other\` takes the other where the first is empty. \`{{ cost > 3 ? 'red' : 'black' }}\` is a colour.

An iterator repeats what it holds for each item of a list, or as often as a number says, up to ${MAX_ITEMS} times: \`split(tags)\` or \`cost\`. Inside, \`item\` is the item and \`itemIndex\` its place. Inside a grid, \`cell\`, \`row\` and \`col\` count from 1.

While you type, columns are offered with their values and functions with what they take: arrow keys choose, Enter or Tab takes one. **Ctrl+Space**, or the button in the field, shows all of them.

A formula that cannot be worked out leaves the zone as it is drawn; the editor says what is wrong and where.

| Function | Gives |
${functionRows}`,
};
