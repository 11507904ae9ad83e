// The file emulator of firebase-tools, alone, for `scripts/bench storage`: `node suites/bench/storage-official.mjs FIREBASE`, where
// FIREBASE is the command of an installed firebase-tools. Prints `ready: URL`, and runs until it is ended.
// Its rules are evaluated by a Java program that it fetches at first use. Here that is left out, so nothing need be
// fetched: the benchmark comes as administrator, whom it asks no rules about.
import { realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';

const [command] = process.argv.slice(2);
if (command === undefined) throw new Error('say where the command of firebase-tools is');
const require = createRequire(realpathSync(command));
const emulator = (name) => require(`../emulator/${name}`);
const { EmulatorRegistry } = emulator('registry');
const { StorageEmulator } = emulator('storage');
const { StorageRulesRuntime } = emulator('storage/rules/runtime');

StorageRulesRuntime.prototype.start = async () => undefined;
StorageRulesRuntime.prototype.stop = async () => undefined;
StorageRulesRuntime.prototype.loadRuleset = async () => ({ ruleset: {}, issues: { all: [] } });

const host = '127.0.0.1';
const port = await new Promise((resolve, reject) => {
  const probe = createServer().once('error', reject);
  probe.listen(0, host, () => {
    const { port: free } = probe.address();
    probe.close(() => resolve(free));
  });
});
await EmulatorRegistry.start(
  new StorageEmulator({
    projectId: 'demo-tuckbox',
    host,
    port,
    rules: { name: 'none.rules', content: '' },
    auto_download: false,
  }),
);
console.log(`ready: http://${host}:${port}`);
// It is ended by a signal, or by the end of whoever started it.
process.stdin.resume().once('end', () => process.exit());
