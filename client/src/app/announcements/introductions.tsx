import { Button } from '@mantine/core';
import { useLocation } from 'react-router';
import { type Community, community } from '../../data/site/community.ts';
import { CURRENT_ANNOUNCEMENT } from '../../data/user-object/schema.ts';
import { useUserObject } from '../../data/user-object/use-user-object.ts';
import { Popup, PopupActions } from '../../ui/popups/popup.tsx';
import { SAVE_PARAMETER } from '../pages/boards/draft-address.ts';
import { Prose } from '../prose/prose.tsx';
import { unseen } from './announcements.ts';

const intro = ({ label, address }: Community) => `
- **Click-through tutorials** lead you through the real screens. The button at the bottom right starts them, now or later.
- **Only Chrome is supported**: it is the browser this is made for and tested with. Others may print and draw differently.
- **Talk to others** who make games, or ask: [${label}](${address}), also under **Resources** in the bar above.`;

/** The introduction for who is new, and after it what is new for who is not. */
export function Introductions() {
  const { userObject, ready, save } = useUserObject();
  const { search } = useLocation();
  // A visitor who signed up in order to save a board saves it first.
  if (!ready || new URLSearchParams(search).has(SAVE_PARAMETER)) return null;
  const news = unseen(userObject.announcementNumber);
  const newcomer = !userObject.shownNewUserIntro;
  const endIntro = () => void save({ shownNewUserIntro: true });
  const endNews = () => void save({ announcementNumber: CURRENT_ANNOUNCEMENT });
  return (
    <>
      <Popup open={newcomer} onClose={endIntro} title="Welcome to Tuckbox" width={520}>
        <Prose source={intro(community())} />
        <PopupActions>
          <Button onClick={endIntro} data-autofocus>
            Let’s go
          </Button>
        </PopupActions>
      </Popup>
      <Popup open={!newcomer && news.length > 0} onClose={endNews} title="What is new" width={560}>
        {news.map(({ below, title, words }) => (
          <section key={below} aria-label={title}>
            <h3>{title}</h3>
            <Prose source={words} />
          </section>
        ))}
        <PopupActions>
          <Button onClick={endNews} data-autofocus>
            Got it
          </Button>
        </PopupActions>
      </Popup>
    </>
  );
}
