import { offeredPlans } from '../../../data/account/plans.ts';
import { signInProviders } from '../../../data/account/provider-sign-in.ts';
import { getServices } from '../../../data/server/firebase.ts';
import { Page } from '../../../ui/page/page.tsx';
import { Prose } from '../../prose/prose.tsx';
import { privacy, terms } from './texts.ts';

/** `/policies`: privacy and terms, in the operator's name. */
export function Component() {
  const { operator, contact } = getServices().host;
  const host = {
    operator,
    contact,
    providers: signInProviders().map(({ name }) => name),
    sells: offeredPlans().some(({ sold }) => sold),
  };
  return (
    <Page
      reading
      title="Policies"
      lead="What happens to your data here, and what you and we may expect of each other."
    >
      <Prose source={`${privacy(host)}\n\n${terms(host)}`} />
    </Page>
  );
}
