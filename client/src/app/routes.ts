import type { LazyRouteFunction, RouteObject } from 'react-router';

/** Access to a page: public, or signed-in users only. */
export type Access = 'public' | 'user';

/** A page and its address. */
export interface AppRoute {
  readonly name: string;
  /** In the title of the tab; empty for the first page, equal for pages that put the name of a thing before it. */
  readonly title: string;
  /** As react-router writes it: `:name`, `:name?` where it may be missing, `*` for the rest. Case does not matter. */
  readonly path: string;
  readonly access: Access;
  /** Guests of a table may open it too. */
  readonly guests?: true;
  /** Visitors may open it in the trial too: nothing on it needs the server. */
  readonly trial?: true;
  /** Only admins are shown links to it. */
  readonly adminLink?: true;
  readonly lazy: LazyRouteFunction<RouteObject>;
}

const article = () => import('./pages/blog/article.tsx');

/** The six articles; the blog's list of contents names the same. */
export const ARTICLE_SLUGS = [
  'free-printable-card-templates',
  'jurassic-crisis',
  '14ers',
  'bleed-trim-and-safe-zone',
  'print-and-play-at-home',
  'from-spreadsheet-to-deck',
] as const;

/** Every page of the application. */
export const ROUTES: readonly AppRoute[] = [
  { name: 'Home', title: '', path: '/', access: 'public', lazy: () => import('./pages/home/home.tsx') },
  {
    name: 'workspace',
    title: 'Workspace',
    path: '/workspace',
    access: 'user',
    trial: true,
    lazy: () => import('./pages/workspace/workspace.tsx'),
  },
  {
    name: 'cardlist2',
    title: 'All cards',
    path: '/cardlist2',
    access: 'user',
    trial: true,
    lazy: () => import('./pages/card-list/card-list.tsx'),
  },
  {
    name: 'Blog',
    title: 'Blog',
    path: '/blog/',
    access: 'public',
    lazy: () => import('./pages/blog/blog.tsx'),
  },
  ...ARTICLE_SLUGS.map(
    (slug): AppRoute => ({
      name: `Blog: ${slug}`,
      title: 'Blog',
      path: `/blog/${slug}`,
      access: 'public',
      lazy: article,
    }),
  ),
  {
    name: 'RulebookMaker',
    title: 'Rulebook maker',
    path: '/rulebook-maker/:deckId/:ruleBookId',
    access: 'user',
    trial: true,
    lazy: () => import('./pages/rulebook/rulebook-maker.tsx'),
  },
  {
    name: 'ReadRulebook',
    title: 'Rulebook',
    path: '/read/:link',
    access: 'public',
    lazy: () => import('./pages/read/read.tsx'),
  },
  {
    name: 'SampleTable',
    title: 'Sample table',
    path: '/playtesting/sample/:id',
    access: 'public',
    lazy: () => import('./pages/play/sample/sample-table.tsx'),
  },
  {
    name: 'Replay',
    title: 'Replay',
    path: '/replay/:link',
    access: 'public',
    lazy: () => import('./pages/replay/replay.tsx'),
  },
  {
    name: 'Boards',
    title: 'Board maker',
    path: '/boards/',
    access: 'public',
    lazy: () => import('./pages/boards/boards.tsx'),
  },
  {
    name: 'BoardDraft',
    title: 'Board',
    path: '/boards/draft/:id',
    access: 'public',
    lazy: () => import('./pages/boards/board-draft.tsx'),
  },
  {
    name: 'PrintBoard',
    title: 'Print a board',
    path: '/boards/print/:id',
    access: 'public',
    lazy: () => import('./pages/boards/print-board.tsx'),
  },
  {
    name: 'Try',
    title: 'Try it',
    path: '/try/*',
    access: 'public',
    lazy: () => import('./trial/enter-trial.ts'),
  },
  {
    name: 'KeepTrial',
    title: 'Keep your game',
    path: '/try/keep',
    access: 'user',
    lazy: () => import('./trial/keep-trial.tsx'),
  },
  {
    name: 'Tutorials',
    title: 'Tutorials',
    path: '/Tutorials/',
    access: 'public',
    lazy: () => import('./pages/tutorials/tutorials.tsx'),
  },
  {
    name: 'Updates',
    title: 'Updates',
    path: '/Updates',
    access: 'public',
    lazy: () => import('./pages/updates/updates.tsx'),
  },
  {
    name: 'Login',
    title: 'Log in',
    path: '/login',
    access: 'public',
    lazy: () => import('./pages/auth/login.tsx'),
  },
  {
    name: 'Signup',
    title: 'Sign up',
    path: '/signup',
    access: 'public',
    lazy: () => import('./pages/auth/signup.tsx'),
  },
  {
    name: 'UploadImages',
    title: 'Upload images',
    path: '/upload',
    access: 'user',
    lazy: () => import('./pages/images/upload.tsx'),
  },
  {
    name: 'UploadImagesAdmin',
    title: 'Stock pictures',
    path: '/uploadadmin',
    access: 'user',
    lazy: () => import('./pages/images/upload-admin.tsx'),
  },
  {
    name: 'ImageCollection',
    title: 'Images',
    path: '/images/*',
    access: 'user',
    lazy: () => import('./pages/images/images.tsx'),
  },
  {
    name: 'UserDecks',
    title: 'Projects',
    path: '/decks',
    access: 'user',
    lazy: () => import('./pages/projects/projects.tsx'),
  },
  {
    name: 'DeckDetails',
    title: 'Project',
    path: '/decks/:id',
    access: 'user',
    trial: true,
    lazy: () => import('./pages/project/project-details.tsx'),
  },
  {
    name: 'DeckLanguages',
    title: 'Languages',
    path: '/decks/:id/languages',
    access: 'user',
    trial: true,
    lazy: () => import('./pages/languages/languages.tsx'),
  },
  {
    name: 'PrintDeck',
    title: 'Export',
    path: '/decks/print/:deck/:cardType?',
    access: 'user',
    trial: true,
    lazy: () => import('./pages/print/print-project.tsx'),
  },
  {
    name: 'Testing',
    title: 'Testing',
    path: '/testing/:deck?',
    access: 'user',
    adminLink: true,
    lazy: () => import('./pages/testing/testing.tsx'),
  },
  {
    name: 'Testing2',
    title: 'Testing2',
    path: '/testing2',
    access: 'user',
    adminLink: true,
    lazy: () => import('./pages/testing/testing2.tsx'),
  },
  {
    name: 'SubscriptionSignup',
    title: 'Pricing',
    path: '/pricing',
    access: 'public',
    lazy: () => import('./pages/pricing/pricing.tsx'),
  },
  {
    name: 'AccountPage',
    title: 'Account',
    path: '/account',
    access: 'user',
    lazy: () => import('./pages/account/account.tsx'),
  },
  {
    name: 'Policies',
    title: 'Policies',
    path: '/policies',
    access: 'public',
    lazy: () => import('./pages/policies/policies.tsx'),
  },
  {
    name: 'Brainstorm',
    title: 'Brainstorm',
    path: '/brainstorm',
    access: 'public',
    lazy: () => import('./pages/brainstorm/brainstorm.tsx'),
  },
  {
    name: 'Layout',
    title: 'Layout editor',
    path: '/layouts/edit/:id/:returnToLayouts?',
    access: 'user',
    trial: true,
    lazy: () => import('./pages/editor/layout-editor.tsx'),
  },
  {
    name: 'SharedLayout',
    title: 'Shared layout',
    path: '/layouts/shared/:sharingUser/:id',
    access: 'user',
    lazy: () => import('./pages/layouts/shared-layout.tsx'),
  },
  {
    name: 'SelectLayout',
    title: 'Choose a layout',
    path: '/layouts/:deck/:cardType?/:isForBack?',
    access: 'user',
    trial: true,
    lazy: () => import('./pages/layouts/select-layout.tsx'),
  },
  {
    name: 'UserLayouts',
    title: 'Layouts',
    path: '/layouts/',
    access: 'user',
    lazy: () => import('./pages/layouts/layouts.tsx'),
  },
  {
    name: 'AdminControlPanel',
    title: 'Admin',
    path: '/admin-control-panel',
    access: 'user',
    adminLink: true,
    lazy: () => import('./pages/admin/admin.tsx'),
  },
  {
    name: 'Playtesting',
    title: 'Playtesting',
    path: '/playtesting/:ownerID/:sessionID',
    access: 'user',
    guests: true,
    lazy: () => import('./pages/play/play.tsx'),
  },
  {
    name: 'flashcards',
    title: 'Flashcards',
    path: '/flashcards/:deckId/:componentId',
    access: 'user',
    trial: true,
    lazy: () => import('./pages/flashcards/flashcards.tsx'),
  },
  // Routes that the specification does not list but the pages above need.
  {
    name: 'ForgotPassword',
    title: 'Forgotten password',
    path: '/forgot-password',
    access: 'public',
    lazy: () => import('./pages/auth/forgot-password.tsx'),
  },
  {
    name: 'AuthAction',
    title: 'Link from a mail',
    path: '/__/auth/action',
    access: 'public',
    lazy: () => import('./pages/auth/action.tsx'),
  },
  {
    name: 'AuthHandler',
    title: 'Signing in',
    path: '/__/auth/handler',
    access: 'public',
    lazy: () => import('./pages/auth/handler.tsx'),
  },
  {
    name: 'Invitation',
    title: 'Invitation',
    path: '/invitations/:owner/:deck/:invitation',
    access: 'user',
    lazy: () => import('./pages/projects/invitation.tsx'),
  },
  {
    name: 'JoinTable',
    title: 'Join a table',
    path: '/join/:code?',
    access: 'public',
    lazy: () => import('./pages/play/join.tsx'),
  },
  {
    name: 'Playtests',
    title: 'Playtest tables',
    path: '/playtesting',
    access: 'user',
    lazy: () => import('./pages/playtests/playtests.tsx'),
  },
  {
    name: 'DeckImages',
    title: 'Images',
    path: '/decks/images/:deck/*',
    access: 'user',
    lazy: () => import('./pages/images/project-images.tsx'),
  },
  {
    name: 'DeckCredits',
    title: 'Credits',
    path: '/decks/credits/:deck',
    access: 'user',
    lazy: () => import('./pages/images/credits.tsx'),
  },
  {
    name: 'DeckVersions',
    title: 'Versions',
    path: '/decks/:id/versions',
    access: 'user',
    lazy: () => import('./pages/versions/versions.tsx'),
  },
  {
    name: 'Documentation',
    title: 'Documentation',
    path: '/docs',
    access: 'public',
    lazy: () => import('./pages/docs/docs.tsx'),
  },
];
