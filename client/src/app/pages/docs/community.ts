import type { HostInfo } from '../../../data/server/firebase.ts';
import type { Topic } from './topics.ts';

/** Contacts for help on this server, as far as its operator has given them. */
export function communityTopic({
  chatUrl,
  operator,
  contact,
}: Pick<HostInfo, 'chatUrl' | 'operator' | 'contact'>): Topic {
  const who = operator ? `**${operator}**` : 'Somebody who has not entered a name';
  const reach = contact ? ` and can be reached at ${linkTo(contact)}` : '';
  return {
    title: 'Community',
    words: `
Tuckbox runs on many servers, and each has its own people. ${who} runs this one${reach}.

**Where to ask.** ${
      chatUrl
        ? `This server has a chat: [${chatUrl}](${chatUrl}). It is its operator’s, not part of this application; what you write there is seen by those who are in it.`
        : `This server has no chat. ${contact ? `Write to ${linkTo(contact)}` : 'Ask whoever gave you its address'}, and ask the people you work with: each project has its notes, and cards can be commented on.`
    } Much is answered here already; the search on the left looks through everything.

**How to report something.** What is wrong with your account, with what somebody shares here, or with the server: ${contact ? `write to ${linkTo(contact)}` : 'tell whoever runs this server'}. Say what you did, what you saw and at what time; a picture of the screen helps. What may be a hole in the security should not be told in public before it is mended. Faults of the program itself are mended by its makers: the [version](/Updates) belongs in the report.

**How to share a game.** **Members** invites people into a project. A layout is shared by its link. **Export** makes print-and-play PDFs, pictures, and saves for virtual tables, and **Download archive** puts a whole project into one file that opens on any other server. Share only what is yours to share: **Credits** in a project lists whose pictures and icons are in it.
${
  chatUrl && operator && contact
    ? ''
    : `
If you run this server: \`chatUrl\`, \`operator\` and \`contact\` in the section \`tuckbox.site\` of \`firebase.json\` say on this page what is missing.`
}`,
  };
}

/** An e-mail or web address as a link; anything else as it is. */
function linkTo(contact: string): string {
  if (/^https?:\/\//.test(contact)) return `[${contact}](${contact})`;
  return /^[^\s@]+@[^\s@]+$/.test(contact) ? `[${contact}](mailto:${contact})` : contact;
}
