import { getServices, type HostInfo } from '../server/firebase.ts';

/** The documentation's words about the community: what the links open where the operator names no chat. */
export const COMMUNITY_PAGE = '/docs#community';

/** Meeting place of this server's users: the operator's chat, else a page of the application. */
export interface Community {
  readonly label: string;
  readonly address: string;
  /** Another site: opens beside the application. */
  readonly elsewhere: boolean;
}

/** The community that links lead to. */
export function community({ chatUrl }: Pick<HostInfo, 'chatUrl'> = getServices().host): Community {
  return chatUrl
    ? { label: 'Community chat', address: chatUrl, elsewhere: true }
    : { label: 'Community', address: COMMUNITY_PAGE, elsewhere: false };
}
