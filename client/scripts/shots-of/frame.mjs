// The pictures of the frame: pages to read, help, tutorials, account and admin pages.

/** Waits until every card on the page is painted. */
const painted = (page) =>
  page.waitForFunction(() => !document.querySelector('[data-state="waiting"]'), undefined, {
    timeout: 30_000,
  });

/** A page to read from top to bottom. */
const reading = (name, path) => ({ name, path, signedOut: true, full: true, wait: painted });

/** Scenes of the frame. `deck`, `editor` and `print` are addresses the seed made. */
export function frameScenes({ deck, editor, print }) {
  const [, , , project, component] = print.split('/');
  return [
    reading('blog', '/blog/'),
    reading('article-templates', '/blog/free-printable-card-templates'),
    reading('article-jurassic', '/blog/jurassic-crisis'),
    reading('article-14ers', '/blog/14ers'),
    reading('article-bleed', '/blog/bleed-trim-and-safe-zone'),
    reading('article-print', '/blog/print-and-play-at-home'),
    reading('article-spreadsheet', '/blog/from-spreadsheet-to-deck'),
    reading('tutorials', '/Tutorials/'),
    reading('updates', '/Updates'),
    reading('policies', '/policies'),
    reading('pricing', '/pricing'),
    reading('docs', '/docs'),
    reading('docs-search', '/docs?q=nothing-like-this'),
    reading('boards', '/boards/'),
    {
      name: 'brainstorm',
      path: '/brainstorm',
      signedOut: true,
      full: true,
      async act(page) {
        for (let i = 0; i < 3; i++) await page.getByRole('button', { name: 'Draw an idea' }).click();
        await page.getByRole('button', { name: 'Edit setting' }).click();
      },
    },
    {
      name: 'help',
      path: '/decks',
      async act(page) {
        await page.getByRole('button', { name: 'Help', exact: true }).click();
        await page.getByRole('list', { name: 'Tutorials' }).waitFor();
      },
    },
    {
      name: 'tutorial-step',
      path: '/decks',
      async act(page) {
        await page.getByRole('button', { name: 'Help', exact: true }).click();
        await page.getByRole('button', { name: 'Start: Create your first project' }).click();
        await page.getByRole('button', { name: 'New project' }).first().click();
        await page.getByText(/, 2 of 5/).waitFor();
      },
      async after(page) {
        // The next page of this account must not be in the tutorial any more.
        const stored = page.waitForResponse((response) => response.url().includes('documents:commit'));
        await page.getByRole('button', { name: 'Close tutorial' }).click();
        await stored;
      },
    },
    { name: 'workspace', path: '/workspace' },
    { name: 'cardlist2', path: '/cardlist2' },
    { name: 'images', path: '/images' },
    { name: 'upload', path: '/upload' },
    { name: 'upload-stock', path: '/uploadadmin' },
    { name: 'credits', path: `/decks/credits/${project}` },
    { name: 'decks-trash', path: '/decks?shelf=trash' },
    { name: 'invitation-none', path: '/invitations/nobody/no-such/thing' },
    ...['Members', 'Notes'].map((name) => ({
      name: `deck-${name.toLowerCase()}`,
      path: deck,
      async act(page) {
        await page.getByRole('button', { name, exact: true }).click();
        await page
          .getByRole('dialog', { name })
          .getByRole('button', { name: 'Close', exact: true })
          .first()
          .waitFor();
      },
    })),
    { name: 'playtesting', path: '/playtesting/a/b' },
    { name: 'playtests', path: '/playtesting' },
    { name: 'rulebook', path: `/rulebook-maker/${project}/b` },
    { name: 'flashcards', path: `/flashcards/${project}/${component}`, wait: painted },
    { name: 'select-layout', path: `/layouts/${project}/${component}`, wait: painted },
    { name: 'select-component', path: `/layouts/${project}` },
    { name: 'shared-layout', path: '/layouts/shared/nobody/nothing' },
    {
      name: 'shared-layout-seen',
      path: '/layouts',
      async act(page) {
        await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
        await page
          .getByRole('button', { name: /^More for / })
          .first()
          .click();
        await page.getByRole('menuitem', { name: /^(Share by|Copy) link$/ }).click();
        await page.getByText('on the clipboard', { exact: false }).waitFor();
        await page.goto(await page.evaluate(() => navigator.clipboard.readText()));
        await page.getByRole('region', { name: 'Preview' }).waitFor();
        await painted(page);
      },
    },
    {
      name: 'editor-real-size',
      path: editor,
      async act(page) {
        await page.getByRole('region', { name: 'Canvas' }).waitFor();
        await page.keyboard.press('Control+k');
        await page.getByRole('combobox', { name: 'Find a command' }).waitFor();
        await page.keyboard.type('match real');
        await page.keyboard.press('Enter');
        await page.getByRole('dialog', { name: 'Real size on this screen' }).waitFor();
      },
    },
    {
      name: 'deck-frozen',
      path: deck,
      async act(page) {
        await page.getByRole('button', { name: 'Column Name' }).click();
        const freeze = page.getByRole('menuitem', { name: 'Keep in view', exact: true });
        if (await freeze.isVisible()) await freeze.click();
        else await page.keyboard.press('Escape');
        await page.locator('.sheet .dsg-container').evaluate((sheet) => sheet.scrollTo({ left: 500 }));
      },
    },
    ...['Pictures', 'Virtual tables', 'Printing houses'].map((target) => ({
      name: `print-${target.split(' ')[0].toLowerCase()}`,
      path: print,
      async act(page) {
        await page.getByRole('radiogroup', { name: 'Export to' }).getByText(target).click();
        await page.getByRole('button', { name: /^Export / }).waitFor();
      },
    })),
    {
      name: 'component-menu',
      path: deck,
      async act(page) {
        await page.getByRole('button', { name: /^More for (?!the table)/ }).click();
      },
    },
    {
      name: 'account-forms',
      path: '/account',
      full: true,
      async act(page) {
        await page.getByRole('button', { name: 'Change e-mail' }).click();
        await page.getByRole('button', { name: 'Change password' }).click();
      },
    },
    {
      name: 'account-delete',
      path: '/account',
      async act(page) {
        await page.getByRole('button', { name: 'Delete my account' }).click();
      },
    },
    { name: 'testing', path: '/testing', full: true },
    { name: 'testing2', path: '/testing2', full: true, wait: painted },
    { name: 'admin', path: '/admin-control-panel', wait: (page) => page.getByRole('table').waitFor() },
    ...['Usage', 'Announcements and switches', 'Log'].map((part) => ({
      name: `admin-${part.split(' ')[0].toLowerCase()}`,
      path: '/admin-control-panel',
      async act(page) {
        await page.getByText(part, { exact: true }).click();
        await page.waitForTimeout(400);
      },
    })),
    {
      name: 'deck-menu',
      path: deck,
      async act(page) {
        await page.getByRole('button', { name: /Account menu/ }).click();
      },
    },
  ];
}
