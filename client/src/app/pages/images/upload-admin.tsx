import { ShieldAlert } from 'lucide-react';
import { useSearchParams } from 'react-router';
import { cleanPath } from '../../../core/images/path.ts';
import { useUser } from '../../../data/account/session.ts';
import { EmptyState, Page } from '../../../ui/page/page.tsx';
import { ImageCollection } from './images.tsx';

/** `/uploadadmin`: packs of pictures for everybody on this server. The server's rules decide who may fill them. */
export function Component() {
  const { admin } = useUser();
  const [params] = useSearchParams();
  if (!admin) {
    return (
      <Page title="Stock pictures" lead="Packs of pictures for everybody on this server.">
        <EmptyState icon={<ShieldAlert size={26} />} title="Only admins fill the packs">
          Everybody finds the stock pictures where images are picked. To add some, ask whoever runs this
          server, or have yourself made an admin: <code>tuckbox admin grant</code>.
        </EmptyState>
      </Page>
    );
  }
  return (
    <ImageCollection
      place="stock"
      folder={cleanPath(params.get('folder') ?? '')}
      address={(folder) =>
        folder === '' ? '/uploadadmin' : `/uploadadmin?${new URLSearchParams({ folder })}`
      }
      title="Stock pictures"
      lead="Pictures that everybody on this server may use. A pack is a folder; give its licence and credit."
    />
  );
}
