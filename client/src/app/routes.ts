import type { LazyRouteFunction, RouteObject } from 'react-router';

/** Who may open a page: everybody, or who is signed in. */
export type Access = 'public' | 'user';

/** A page and its address. */
export interface AppRoute {
  readonly name: string;
  /** As react-router writes it: `:name`, `:name?` where it may be missing, `*` for the rest. Case does not matter. */
  readonly path: string;
  readonly access: Access;
  /** Only admins are shown links to it. */
  readonly adminLink?: true;
  readonly lazy: LazyRouteFunction<RouteObject>;
}

const planned = () => import('./pages/planned/planned.tsx');
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
  { name: 'Home', path: '/', access: 'public', lazy: () => import('./pages/home/home.tsx') },
  {
    name: 'workspace',
    path: '/workspace',
    access: 'user',
    lazy: () => import('./pages/workspace/workspace.tsx'),
  },
  {
    name: 'cardlist2',
    path: '/cardlist2',
    access: 'user',
    lazy: () => import('./pages/card-list/card-list.tsx'),
  },
  { name: 'Blog', path: '/blog/', access: 'public', lazy: () => import('./pages/blog/blog.tsx') },
  ...ARTICLE_SLUGS.map(
    (slug): AppRoute => ({ name: `Blog: ${slug}`, path: `/blog/${slug}`, access: 'public', lazy: article }),
  ),
  { name: 'RulebookMaker', path: '/rulebook-maker/:deckId/:ruleBookId', access: 'user', lazy: planned },
  { name: 'Boards', path: '/boards/', access: 'public', lazy: planned },
  {
    name: 'Tutorials',
    path: '/Tutorials/',
    access: 'public',
    lazy: () => import('./pages/tutorials/tutorials.tsx'),
  },
  { name: 'Updates', path: '/Updates', access: 'public', lazy: () => import('./pages/updates/updates.tsx') },
  { name: 'Login', path: '/login', access: 'public', lazy: () => import('./pages/auth/login.tsx') },
  { name: 'Signup', path: '/signup', access: 'public', lazy: () => import('./pages/auth/signup.tsx') },
  {
    name: 'UploadImages',
    path: '/upload',
    access: 'user',
    lazy: () => import('./pages/images/upload.tsx'),
  },
  {
    name: 'UploadImagesAdmin',
    path: '/uploadadmin',
    access: 'user',
    lazy: () => import('./pages/images/upload-admin.tsx'),
  },
  {
    name: 'ImageCollection',
    path: '/images/*',
    access: 'user',
    lazy: () => import('./pages/images/images.tsx'),
  },
  { name: 'UserDecks', path: '/decks', access: 'user', lazy: () => import('./pages/decks/decks.tsx') },
  {
    name: 'DeckDetails',
    path: '/decks/:id',
    access: 'user',
    lazy: () => import('./pages/deck/deck-details.tsx'),
  },
  {
    name: 'PrintDeck',
    path: '/decks/print/:deck/:cardType?',
    access: 'user',
    lazy: () => import('./pages/print/print-deck.tsx'),
  },
  {
    name: 'Testing',
    path: '/testing/:deck?',
    access: 'user',
    adminLink: true,
    lazy: () => import('./pages/testing/testing.tsx'),
  },
  {
    name: 'Testing2',
    path: '/testing2',
    access: 'user',
    adminLink: true,
    lazy: () => import('./pages/testing/testing2.tsx'),
  },
  {
    name: 'SubscriptionSignup',
    path: '/pricing',
    access: 'public',
    lazy: () => import('./pages/pricing/pricing.tsx'),
  },
  {
    name: 'AccountPage',
    path: '/account',
    access: 'user',
    lazy: () => import('./pages/account/account.tsx'),
  },
  {
    name: 'Policies',
    path: '/policies',
    access: 'public',
    lazy: () => import('./pages/policies/policies.tsx'),
  },
  {
    name: 'Brainstorm',
    path: '/brainstorm',
    access: 'public',
    lazy: () => import('./pages/brainstorm/brainstorm.tsx'),
  },
  {
    name: 'Layout',
    path: '/layouts/edit/:id/:returnToLayouts?',
    access: 'user',
    lazy: () => import('./pages/editor/layout-editor.tsx'),
  },
  {
    name: 'SharedLayout',
    path: '/layouts/shared/:sharingUser/:id',
    access: 'user',
    lazy: () => import('./pages/layouts/shared-layout.tsx'),
  },
  {
    name: 'SelectLayout',
    path: '/layouts/:deck/:cardType?/:isForBack?',
    access: 'user',
    lazy: () => import('./pages/layouts/select-layout.tsx'),
  },
  {
    name: 'UserLayouts',
    path: '/layouts/',
    access: 'user',
    lazy: () => import('./pages/layouts/layouts.tsx'),
  },
  {
    name: 'AdminControlPanel',
    path: '/admin-control-panel',
    access: 'user',
    adminLink: true,
    lazy: () => import('./pages/admin/admin.tsx'),
  },
  { name: 'Playtesting', path: '/playtesting/:ownerID/:sessionID', access: 'user', lazy: planned },
  {
    name: 'flashcards',
    path: '/flashcards/:deckId/:componentId',
    access: 'user',
    lazy: () => import('./pages/flashcards/flashcards.tsx'),
  },
  // What the specification does not list but the pages above need.
  {
    name: 'ForgotPassword',
    path: '/forgot-password',
    access: 'public',
    lazy: () => import('./pages/auth/forgot-password.tsx'),
  },
  {
    name: 'AuthAction',
    path: '/__/auth/action',
    access: 'public',
    lazy: () => import('./pages/auth/action.tsx'),
  },
  {
    name: 'AuthHandler',
    path: '/__/auth/handler',
    access: 'public',
    lazy: () => import('./pages/auth/handler.tsx'),
  },
  {
    name: 'Invitation',
    path: '/invitations/:owner/:deck/:invitation',
    access: 'user',
    lazy: () => import('./pages/decks/invitation.tsx'),
  },
  {
    name: 'DeckCredits',
    path: '/decks/credits/:deck',
    access: 'user',
    lazy: () => import('./pages/images/credits.tsx'),
  },
  { name: 'Documentation', path: '/docs', access: 'public', lazy: () => import('./pages/docs/docs.tsx') },
];
