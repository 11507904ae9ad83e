import { CURRENT_ANNOUNCEMENT } from '../../data/user-object/schema.ts';

/** News, shown to whoever has not seen them. */
export interface Announcement {
  /** Shown while the number kept of the user is below this. */
  readonly below: number;
  readonly title: string;
  /** In the marks of `prose/parse.ts`. */
  readonly words: string;
}

/** All announcements, newest first. */
export const ANNOUNCEMENTS: readonly Announcement[] = [
  {
    below: CURRENT_ANNOUNCEMENT,
    title: 'New in the layout editor',
    words: `
- **The base zone takes a colour and an image together.** The image lies over the colour, so a picture with clear parts shows the colour through.
- **There is a new way to write paragraphs:** a slash between two Ctrl+Enters. On a line of its own, or between two spaces, it ends a paragraph.
- **text-stroke is deprecated in favour of text-shadow.** Shadows keep thin letters readable and look the same on screen and on paper. Layouts with a stroke still work.`,
  },
  {
    below: 3,
    title: 'Cards leave the table as text',
    words: `
- **PDFs keep their letters.** Text in an exported PDF can be searched and selected, and stays sharp at any size.
- **A column of copies** is understood by itself: Copies, Count, Qty or Quantity.`,
  },
  {
    below: 1,
    title: 'Flex containers, update 9.6',
    words: `
- **Flex containers** put what is in them side by side or below each other, with even gaps, and close up where something is missing: made for a row of costs.`,
  },
];

/** Announcements the user has not read yet, newest first; empty once the newest was read. */
export function unseen(announcementNumber: number): readonly Announcement[] {
  return ANNOUNCEMENTS.filter(({ below }) => announcementNumber < below);
}
