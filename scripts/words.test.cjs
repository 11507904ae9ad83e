'use strict';

const assert = require('node:assert/strict');
const { test } = require('node:test');
const { check, lowered, parse, questions, words } = require('./words');

const findings = (rules, files) => check(Object.entries(files), parse(rules)).findings;

test('a retired word is found in prose and inside identifiers, with its place and the standard term', () => {
  const rules = 'timetables? = scheduler';
  assert.deepEqual(findings(rules, { 'a/x.rs': 'fn one() {}\nstruct TimetableStore;\n' }), [
    'a/x.rs:2: "timetable" is retired; write scheduler',
  ]);
  for (const text of ['its timetables', 'let my_timetable = 1;', 'const TIMETABLE_SIZE', 'newTimetable()', 'HTTPTimetable']) {
    assert.equal(findings(rules, { 'x.ts': text }).length, 1, text);
  }
  assert.deepEqual(findings(rules, { 'x.ts': 'untimetabled' }), []);
});

test('a pattern applies within its folders and not in the excepted ones', () => {
  const rules = 'lanes? = ordering key ; in a/**, b/*.rs ; except a/argon/**';
  const at = (file) => findings(rules, { [file]: 'lane' }).length;
  assert.deepEqual(['a/x/y.rs', 'b/x.rs', 'a/argon/x.rs', 'b/c/x.rs', 'c/x.rs'].map(at), [1, 1, 0, 0, 0]);
});

test('skipped files are not checked', () => {
  assert.deepEqual(findings('lane = ordering key\nskip made/**', { 'made/x.rs': '// What.\nlane' }), []);
});

test('comments that open with a question word are found in every form, each block once', () => {
  const rust = '//! How it works.\n\n/// A thing.\n/// What follows is its second line.\nfn a() {}\n    // Whether so.\n';
  assert.deepEqual(questions('x.rs', rust), [1, 6]);
  const script = '/** Who asks. */\nx;\n/**\n * Where it is.\n * Which line.\n */\nx; // What is this\n/** A */\n// Whose\n';
  assert.deepEqual(questions('x.ts', script), [1, 4, 9]);
  assert.deepEqual(questions('scripts/x', '#!/bin/bash\n# What it does.\n'), [2]);
  assert.deepEqual(questions('x.css', '/* Where it ends */'), [1]);
  assert.deepEqual(questions('x.rs', '// Whatever follows.\n// However\nlet what = 1;'), []);
  assert.deepEqual(questions('x.md', 'What is promised\n# What'), []);
});

test('comments are held to the limit of their folder, and to none without one', () => {
  const files = { 'a/x.rs': '// What.\n\n// Who.', 'b/x.rs': '// How.' };
  assert.deepEqual(findings('limit a 2\nlimit b 1', files), []);
  assert.equal(findings('limit a 1\nlimit b 1', files).length, 3);
  assert.equal(findings('limit a 2', files).length, 2);
  assert.equal(findings('limit a 9\nlimit a/deep 0', { 'a/deep/x.rs': '// What.' }).length, 2);
});

test('lowering sets limits to the present counts and raises none', () => {
  const text = '# kept\nlimit a 5\nlimit b 0\n';
  const { counts } = check([['a/x.rs', '// What.'], ['b/x.rs', '// What.']], parse(text));
  assert.equal(lowered(text, counts), '# kept\nlimit a 1\nlimit b 0\n');
});

test('a line that is no rule is refused with its number', () => {
  assert.throws(() => parse('# fine\nlane: ordering key'), /retired-words\.txt:2/);
  assert.throws(() => parse('lane = key ; on a/**'), /"in GLOBS"/);
});

test('words are separated at case changes and underscores', () => {
  assert.equal(words('fn readPNGPicture_now(MAX_SIZE)'), 'fn read pngpicture now(max size)'.replace('pngp', 'png p'));
});
