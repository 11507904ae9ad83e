import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { beforeEach, expect, test, vi } from 'vitest';
import { newLayout } from '../../core/scene/new-layout.ts';
import { type Firestore, getFirestore } from '../../sdk/firestore.ts';
import { createCore } from '../../sdk/internal/app-core.ts';
import { FakePlatform } from '../../sdk/testing/fake-platform.ts';
import {
  followedLayout,
  type Layouts,
  openLibrary,
  openOwnProject,
  openProject,
  type Project,
} from './open-project.ts';

const session = vi.hoisted(() => ({ uid: 'ann' as string | undefined }));
vi.mock('../account/session.ts', () => ({ sessionUser: () => (session.uid ? { uid: session.uid } : null) }));
vi.mock('../server/database.ts', () => ({ getDb: () => db }));

let db: Firestore;
let count = 0;
beforeEach(() => {
  session.uid = 'ann';
  const { app } = createCore({ projectId: 'demo', apiKey: 'k' }, `projects-${count++}`, new FakePlatform());
  db = getFirestore(app);
});

/** Paths of everything that a handle reaches. */
function reached(project: Project): string[] {
  const refs = [
    project.details,
    project.notes,
    project.components,
    project.component('x'),
    project.cards('x'),
    project.card('x', 'y'),
    project.presences('x'),
    project.layoutPresences('x'),
    project.comments,
    project.comment('x'),
    project.printPresets,
    project.printPreset('x'),
    project.printRuns,
    project.rulebooks,
    project.rulebook('x'),
    project.rulebookSteps('x'),
    project.rulebookVersions('x'),
    project.rulebookLanguages('x'),
    project.rulebookLanguage('x', 'y'),
    project.translationParts('x', 'y'),
    project.rulebookPresences('x'),
    project.invitations,
    project.invitation('x'),
    project.images,
    project.image('x'),
    project.layouts,
    project.layout('x'),
  ];
  return refs.map((ref) => ref.path);
}

const id = fc.stringMatching(/^[A-Za-z0-9]{1,20}$/);

test('a handle reaches its own project alone', () => {
  fc.assert(
    fc.property(id, id, id, id, (project, another, owner, other) => {
      fc.pre(owner !== other && project !== another);
      const [one, two] = [openProject({ id: project, owner }), openProject({ id: another, owner: other })];
      const [its, theirs] = [reached(one), reached(two)];
      for (const of of its) expect(`${of}/`.startsWith(`${one.details.path}/`)).toBe(true);
      const all = new Set(its);
      expect(all.size).toBe(its.length);
      for (const of of theirs) expect(all.has(of)).toBe(false);
    }),
  );
});

test('a project is the user’s own by its owner', () => {
  expect(openOwnProject('p').mine).toBe(true);
  expect(openProject({ id: 'p', owner: 'bea' }).mine).toBe(false);
});

test('a layout follows one beside it, in another project, or in a library', () => {
  const scene = newLayout('Before');
  const hers = openProject({ id: 'p', owner: 'bea' });
  const followed = (source: Layouts, where: object) =>
    followedLayout(source, { layout: 'l', scene, ...where }).path;
  for (const source of [hers, openLibrary()]) {
    expect(followed(source, {})).toBe(source.layout('l').path);
    expect(followed(source, { project: 'q' })).toBe(openProject({ id: 'q', owner: 'eve' }).layout('l').path);
    expect(followed(source, { library: 'bea' })).toBe(openLibrary('bea').layout('l').path);
  }
});

test('exports lie with the project, those of each member and each export in a folder of their own', () => {
  const hers = openProject({ id: 'p', owner: 'bea' });
  expect(hers.newExportFolder()).toMatch(/^projects\/p\/exports\/ann\/[0-9a-f-]{36}$/);
  expect(hers.newExportFolder()).not.toBe(hers.newExportFolder());
});

test('nothing of a user’s own opens while nobody is signed in', () => {
  session.uid = undefined;
  expect(() => openOwnProject('p')).toThrow('signed-in');
  expect(() => openLibrary()).toThrow('signed-in');
  expect(() => openProject({ id: 'p', owner: 'bea' }).newExportFolder()).toThrow('signed-in');
  expect(openProject({ id: 'p', owner: 'bea' }).mine).toBe(false);
});

test('only `addresses.ts` knows where projects and libraries lie', () => {
  const source = path.resolve(import.meta.dirname, '../..');
  const spelled = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((file) => /^(app|data|headless|workers|render|ui)\/.*\.tsx?$/.test(file))
    .filter((file) => !/\.test\.tsx?$/.test(file))
    .filter((file) =>
      /['"]decks['"]|(?:collection|doc)\([^)]*['"]projects['"]|['"`](?:users|projects)\/\$\{(?!config)|['"]users['"],/.test(
        readFileSync(path.join(source, file), 'utf8'),
      ),
    );
  // The address of the user object is fixed for all clients.
  expect(spelled).toEqual(['data/project/addresses.ts', 'data/user-object/use-user-object.ts']);
});
