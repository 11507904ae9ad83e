/**
 * Ways to damage a stopped server's data folder. Each takes the folder, a source of random numbers from 0 to 1, and an
 * older copy of the folder. `may` says what a start may answer: `serve` with everything, or `refuse` in words.
 */
import {
  appendFileSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';

const documents = (folder, ...parts) => join(folder, 'documents', ...parts);
const logs = (folder) =>
  readdirSync(documents(folder, 'log'))
    .filter((name) => /\.(seg|log)$/.test(name))
    .sort();
const lastLog = (folder) => documents(folder, 'log', logs(folder).at(-1));
const firstLog = (folder) => documents(folder, 'log', logs(folder)[0]);
const size = (file) => readFileSync(file).length;

function flip(file, at) {
  const bytes = readFileSync(file);
  bytes[at] ^= 1 << (at % 8);
  writeFileSync(file, bytes);
}
/** A place in the middle of a file: not in its first or last tenth. */
const middle = (file, random) => Math.floor(size(file) * (0.1 + 0.8 * random()));
const cut = (file, share) => truncateSync(file, Math.floor(size(file) * share));
const zero = (file, from, length) => {
  const bytes = readFileSync(file);
  bytes.fill(0, from, Math.min(bytes.length, from + length));
  writeFileSync(file, bytes);
};
/** The folder of the view, which either engine may hold. */
const view = (folder) => documents(folder, existsSync(documents(folder, 'fjall')) ? 'fjall' : 'sled');
const viewFiles = (folder) =>
  readdirSync(view(folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort();
/** A file with rows: sled's only one, or any of fjall's journal and tables. */
function viewFile(folder, random) {
  const rows = viewFiles(folder).filter((file) => /\/(db|\d+\.jnl|tables\/\d+)$/.test(file));
  return rows[Math.floor(random() * rows.length)];
}
/** A file that says how the others are to be read. */
const viewSettings = (folder) =>
  viewFiles(folder).find((file) => /\/(conf|version)$/.test(file)) ?? view(folder);
/** Bytes that an attacker could write into a document to imitate a record of the log. */
const LIKE_A_RECORD = Buffer.concat([Buffer.from('TBX1'), Buffer.alloc(8)]);

/** Bytes of a segment's header. */
const HEADER = 28;

const LOST = ['refuse'];
const WHOLE = ['serve'];
const EITHER = ['serve', 'refuse'];

/** `[name, what a start may do, how]`. */
export const WAYS = [
  ['log: the end is cut off', LOST, (folder, random) => cut(lastLog(folder), 0.2 + 0.7 * random())],
  [
    'log: the end is zeros',
    LOST,
    (folder) => zero(lastLog(folder), Math.floor(size(lastLog(folder)) * 0.8), Infinity),
  ],
  [
    'log: a page of zeros in the middle',
    LOST,
    (folder, random) => zero(lastLog(folder), middle(lastLog(folder), random), 4_096),
  ],
  ['log: a bit is flipped', LOST, (folder, random) => flip(lastLog(folder), middle(lastLog(folder), random))],
  ['log: a bit of its first record is flipped', LOST, (folder) => flip(firstLog(folder), 40)],
  ['log: a bit of a segment’s header is flipped', LOST, (folder) => flip(lastLog(folder), 12)],
  ['log: cut within a segment’s header', LOST, (folder) => truncateSync(lastLog(folder), 20)],
  [
    'log: its first records behind it again',
    WHOLE,
    (folder) => appendFileSync(lastLog(folder), readFileSync(lastLog(folder)).subarray(HEADER)),
  ],
  ['log: emptied', LOST, (folder) => truncateSync(lastLog(folder), 0)],
  ['log: the last segment is gone', LOST, (folder) => rmSync(lastLog(folder))],
  ['log: the folder is gone', LOST, (folder) => rmSync(documents(folder, 'log'), { recursive: true })],
  [
    'log: half a record behind it',
    WHOLE,
    (folder) => appendFileSync(lastLog(folder), readFileSync(lastLog(folder)).subarray(0, 30)),
  ],
  [
    'log: bytes behind it',
    WHOLE,
    (folder, random) =>
      appendFileSync(
        lastLog(folder),
        Buffer.from(Array.from({ length: 500 }, () => Math.floor(random() * 256))),
      ),
  ],
  ['log: zeros behind it', WHOLE, (folder) => appendFileSync(lastLog(folder), Buffer.alloc(8_192))],
  [
    'log: a torn record with a stranger’s bytes behind it',
    WHOLE,
    (folder) =>
      appendFileSync(
        lastLog(folder),
        Buffer.concat([readFileSync(lastLog(folder)).subarray(0, 30), LIKE_A_RECORD, LIKE_A_RECORD]),
      ),
  ],
  [
    'log: an older copy',
    LOST,
    (folder, _, old) => {
      rmSync(documents(folder, 'log'), { recursive: true });
      cpSync(documents(old, 'log'), documents(folder, 'log'), { recursive: true });
    },
  ],
  ['view: gone', WHOLE, (folder) => rmSync(view(folder), { recursive: true })],
  [
    'view: moved away, as the message advises',
    WHOLE,
    (folder) => renameSync(view(folder), `${view(folder)}.away`),
  ],
  [
    'view: emptied',
    WHOLE,
    (folder) => {
      for (const file of viewFiles(folder)) rmSync(file);
    },
  ],
  ['view: cut short', WHOLE, (folder, random) => cut(viewFile(folder, random), 0.1 + 0.8 * random())],
  ['view: a file is gone', WHOLE, (folder, random) => rmSync(viewFile(folder, random))],
  [
    'view: a bit is flipped',
    WHOLE,
    (folder, random) => {
      const file = viewFile(folder, random);
      flip(file, middle(file, random));
    },
  ],
  [
    'view: a page of zeros',
    WHOLE,
    (folder, random) => {
      const file = viewFile(folder, random);
      zero(file, middle(file, random), 4_096);
    },
  ],
  ['view: its settings are gone', WHOLE, (folder) => rmSync(viewSettings(folder))],
  [
    'view: an older copy',
    WHOLE,
    (folder, _, old) => {
      rmSync(view(folder), { recursive: true });
      cpSync(view(old), documents(folder, basename(view(old))), { recursive: true });
    },
  ],
  [
    'view and checkpoint: gone',
    WHOLE,
    (folder) => {
      rmSync(view(folder), { recursive: true });
      rmSync(documents(folder, 'CHECKPOINT'));
    },
  ],
  ['checkpoint: gone', WHOLE, (folder) => rmSync(documents(folder, 'CHECKPOINT'))],
  ['checkpoint: emptied', WHOLE, (folder) => truncateSync(documents(folder, 'CHECKPOINT'), 0)],
  [
    'checkpoint: a bit is flipped',
    WHOLE,
    (folder, random) =>
      flip(documents(folder, 'CHECKPOINT'), middle(documents(folder, 'CHECKPOINT'), random)),
  ],
  [
    'checkpoint: an older copy',
    WHOLE,
    (folder, _, old) => {
      if (existsSync(documents(old, 'CHECKPOINT')))
        cpSync(documents(old, 'CHECKPOINT'), documents(folder, 'CHECKPOINT'));
    },
  ],
  [
    'format: of a newer server',
    LOST,
    (folder) =>
      writeFileSync(
        documents(folder, 'FORMAT'),
        readFileSync(documents(folder, 'FORMAT'), 'utf8').replace(/^tuckbox \d+/, 'tuckbox 99'),
      ),
  ],
  ['format: gone', EITHER, (folder) => rmSync(documents(folder, 'FORMAT'))],
  ['format: emptied', EITHER, (folder) => truncateSync(documents(folder, 'FORMAT'), 0)],
  ['reserve: gone', WHOLE, (folder) => rmSync(documents(folder, 'RESERVE'))],
];
