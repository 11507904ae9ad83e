/** What the policies have to know of a server. */
export interface Host {
  readonly operator: string | undefined;
  readonly contact: string | undefined;
}

/** The privacy policy of a self-hosted server, in plain words. */
export function privacy({ operator, contact }: Host): string {
  const who = operator ?? 'Whoever runs this server';
  return `
## Privacy

**Who is responsible.** ${who}${contact ? ` (${contact})` : ''} runs this server and decides what happens to the data on it. Tuckbox, the program, has no headquarters that could see it: it sends nothing about you to its makers or to anybody else.

${
  operator
    ? ''
    : '> The operator has not entered a name. If you run this server for others, put `operator` and `contact` into the section `tuckbox.site` of `firebase.json`.'
}

### What is stored

- **Your account**: e-mail address, the name you choose, a scrambled form of your password from which it cannot be read, when the account was made and last used.
- **What you make**: projects, components, cards, layouts, pictures and settings.
- **A log of requests** for as long as the operator keeps it: when, what address of the server, with what outcome. Passwords and tokens are never written to it.
- **What admins did**: who changed which account, and when.

### What is stored on your computer

- Who is signed in, so that you need not log in on every visit.
- Whether you like the page light or dark.
- When a verification mail was sent last, until the tab is closed.

There are no cookies for advertising, no counters of visits, and no parts from other companies’ servers: fonts, icons and programs all come from this one.

### Who sees it

You; those you share a project or a layout with; the admins of this server, who can read what is on it. Mails to you go through the mail service the operator has set up.

### Your rights

On the [account page](/account) you can download everything that is kept about you as one file, correct your name and address, and delete the account with everything in it. Deletion takes effect at once; copies in the operator’s backups go when those are replaced. For anything else, write to ${contact ?? 'the operator'}.
`;
}

/** The terms of a self-hosted server, in plain words. */
export function terms({ operator, contact }: Host): string {
  const who = operator ?? 'the operator';
  return `
## Terms

**What is yours stays yours.** You keep every right to what you make here. Storing and painting it for you, and showing it to those you choose, is all that ${who} may do with it.

**What you bring must be yours to bring.** Do not upload pictures, texts or fonts that you may not use, and nothing that is against the law where the server stands. ${operator ? `${operator} may remove such things` : 'The operator may remove such things'} and close accounts that keep bringing them.

**Be kind to the machine.** Do not try to get at other people’s data, or to use up the server so that others cannot work.

**No guarantee.** The program is given away as it is, under the Apache License 2.0. It takes great care not to lose what it has acknowledged, but a disk can break and a house can burn: export what you cannot do without, and keep the file elsewhere.

**Printing.** Colours on a screen are not colours on paper, and a printer’s template may have changed since it was measured. Order one copy before you order a thousand.

**Ending it.** You can delete your account at any time. If the server is to be shut down, ${who} should tell you in good time, so that you can export your projects${contact ? `; questions go to ${contact}` : ''}.

Fonts, icons and sample data that come with the program are used under their own licences, named in its file NOTICE.
`;
}
