import { OpenSample } from '../play/sample/open-sample.tsx';

/** On the way to the playtest tables: a table that needs no account. */
export function SampleInstead() {
  return <OpenSample variant="subtle">Try a sample table without an account</OpenSample>;
}
