// Stands in for the program in which the official suite evaluates rules for files, where that cannot be had: compiles
// every ruleset and permits every request, in its protocol of a line of JSON each way.
import { createInterface } from 'node:readline';

const say = (value) => process.stdout.write(`${JSON.stringify(value)}\n`);
say({ id: -1, status: 'ok', errors: [], warnings: [] });
for await (const line of createInterface({ input: process.stdin })) {
  const { id, action } = JSON.parse(line);
  const result = action === 'load_ruleset' ? { rulesVersion: 2 } : { permit: true };
  say({ id, status: 'ok', errors: [], warnings: [], result });
}
