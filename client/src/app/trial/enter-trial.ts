import { type LoaderFunctionArgs, redirectDocument } from 'react-router';

/** The trial begins with a page of its own. */
export function loader({ request }: LoaderFunctionArgs): never {
  throw redirectDocument(request.url);
}
