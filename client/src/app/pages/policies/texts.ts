/** Server settings that the policies mention. */
export interface Host {
  readonly operator: string | undefined;
  readonly contact: string | undefined;
  /** Names of the sign-in providers beside e-mail and password. */
  readonly providers: readonly string[];
  /** True if plans are sold through the payment service. */
  readonly sells: boolean;
}

/** Names in a sentence: “A”, “A or B”, “A, B or C”. */
const either = (names: readonly string[]): string =>
  [names.slice(0, -1).join(', '), ...names.slice(-1)].filter(Boolean).join(' or ');

/** The privacy policy of a self-hosted server, in plain words. */
export function privacy({ operator, contact, providers, sells }: Host): string {
  const who = operator ?? 'Whoever runs this server';
  const provider = providers.length > 0 ? either(providers) : undefined;
  const signingIn = provider
    ? `\n**Signing in elsewhere.** If you sign in with ${provider}, you leave for a page of theirs. They learn that you come here, and tell this server who you are. Who signs in with a password has nothing to do with them.\n`
    : '';
  const corrects = provider
    ? `; without one it is the one ${provider} told, and ${contact ?? 'the operator'} can correct it`
    : '';
  const proof = provider ? `the password, or by signing in with ${provider} once more,` : 'the password';
  const paying = sells
    ? `\n**Paying.** Plans are paid for at Stripe. When you go there, this server hands over your e-mail address and the number of your account, so that the payment is taken for yours. What you enter there, and what becomes of it, is between Stripe and you.\n`
    : '';
  return `
## Privacy

**Who is responsible.** ${who}${contact ? ` (${contact})` : ''} runs this server and decides what happens to the data on it. Tuckbox, the program, has no headquarters that could see it: it sends nothing about you to its makers. Whom else this server talks to is said below.

${
  operator
    ? ''
    : '> The operator has not entered a name. If you run this server for others, put `operator` and `contact` into the section `tuckbox.site` of `firebase.json`.'
}

### What is stored

- **Your account**: e-mail address, the name you choose, a scrambled form of your password from which it cannot be read, when the account was made and last used.
${provider ? `- **What ${provider} tells about you**, if you sign in there: the number you have there, e-mail address, name, and the address of your picture.\n` : ''}- **What you make**: projects, components, cards, layouts, pictures, fonts and settings.
- **Who works together**: members of a project and their roles, and while a table is open, where in it everybody’s cursor is.
${sells ? '- **What you pay for**: your plan, and the number under which the payment service knows you. What you pay with never comes to this server.\n' : ''}- **A log of requests** for as long as the operator keeps it: when, what address of the server, with what outcome. Passwords and tokens are never written to it.
- **What admins did**: who changed which account, and when.

### What is stored on your computer

- Who is signed in, so that you need not log in on every visit.
- Whether you like the page light or dark, what a ruler on your screen measured, and of an admin, whether the links for admins show.
- When a verification mail was sent last, so that the next one waits a minute.
- Which pictures you chose lately, and what you copied in the layout editor.
- The game that you try without an account, until you start over.
- What the server does not have yet: changes to tables, changes to layouts that you hold back, files on their way.
- The last steps in your tables, so that they can be undone after a reload; a week at most, from one visit to the next.
- Which projects are just being opened, until they are, so that one that does not open can be opened without what is too much for your machine.
- Files you export, until the page that made them is gone and the next one has tidied up.
- Until the tab is closed: the name of what is being exported, which table was shown last${provider ? ', and where to go on to after signing in elsewhere' : ''}.

It stays in this browser, and goes when you clear what that keeps for this site. There are no cookies for advertising, no counters of visits, and no parts from other companies’ servers: fonts, icons and programs all come from this one.

### Who sees it

You; those you share a project or a layout with; the admins of this server, who can read what is on it. Mails to you go through the mail service the operator has set up.
${signingIn}${paying}
### Your rights

On the [account page](/account) you can download your account and every document of yours as one file, and change your name. Pictures come along in the archive of a project. With a password you can change that and the address there too${corrects}.

There, too, you can delete the account with everything in it, after you have shown by ${proof} that it is you. Deletion takes effect at once; copies in the operator’s backups go when those are replaced.${sells ? ' Payments end with it; what Stripe has to keep of them stays there.' : ''} For anything else, write to ${contact ?? 'the operator'}.
`;
}

/** The terms of a self-hosted server, in plain words. */
export function terms({ operator, contact }: Pick<Host, 'operator' | 'contact'>): string {
  const who = operator ?? 'the operator';
  return `
## Terms

**What is yours stays yours.** You keep every right to what you make here. Storing and painting it for you, and showing it to those you choose, is all that ${who} may do with it.

**What you bring must be yours to bring.** Do not upload pictures, texts or fonts that you may not use, and nothing that is against the law where the server stands. ${operator ? `${operator} may remove such things` : 'The operator may remove such things'} and close accounts that keep bringing them.

**Be kind to the machine.** Do not try to get at other people’s data, or to use up the server so that others cannot work.

**No guarantee.** The program is given away as it is, under the Apache License 2.0. It takes great care not to lose what it has acknowledged, but a disk can break and a house can burn: export what you cannot do without, and keep the file elsewhere.

**Printing.** Colours on a screen are not colours on paper, and a printer’s template may have changed since it was measured. Order one copy before you order a thousand.

**Ending it.** You can delete your account at any time. If the server is to be shut down, ${who} should tell you in good time, so that you can export your projects${contact ? `; questions go to ${contact}` : ''}.

Fonts, icons, libraries and sample data that come with the program are used under their own licences: the [third-party notices](/third-party-notices.txt) name their authors and have all licence texts.
`;
}
