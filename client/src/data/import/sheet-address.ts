/** An address of a table as people copy it, as the address of its CSV. */
export interface TableAddress {
  readonly url: string;
  /** Kind of address that was recognised, for the user. */
  readonly kind: 'Google Sheet' | 'published Google Sheet' | 'file on GitHub' | 'file';
}

/** Understands links to Google Sheets, published sheets and GitHub files; any other is taken as it is. */
export function tableAddress(text: string): TableAddress | undefined {
  let url: URL;
  try {
    url = new URL(text.trim());
  } catch {
    return undefined;
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return undefined;
  if (url.hostname === 'docs.google.com') return sheetAddress(url);
  const github = /^\/([^/]+)\/([^/]+)\/blob\/(.+)$/.exec(url.pathname);
  if (url.hostname === 'github.com' && github) {
    return {
      url: `https://raw.githubusercontent.com/${github[1]}/${github[2]}/${github[3]}`,
      kind: 'file on GitHub',
    };
  }
  if (url.hostname === 'www.dropbox.com') url.searchParams.set('dl', '1');
  return { url: url.href, kind: 'file' };
}

function sheetAddress(url: URL): TableAddress {
  const tab = /(?:^|[#&])gid=(\d+)/.exec(url.hash)?.[1] ?? url.searchParams.get('gid');
  const published = /^\/spreadsheets\/d\/e\/([\w-]+)\//.exec(url.pathname)?.[1];
  if (published !== undefined) {
    const query = new URLSearchParams({ ...(tab && { gid: tab, single: 'true' }), output: 'csv' });
    return {
      url: `https://docs.google.com/spreadsheets/d/e/${published}/pub?${query}`,
      kind: 'published Google Sheet',
    };
  }
  const sheet = /^\/spreadsheets\/d\/([\w-]+)/.exec(url.pathname)?.[1];
  if (sheet === undefined) return { url: url.href, kind: 'file' };
  const query = new URLSearchParams({ format: 'csv', ...(tab && { gid: tab }) });
  return { url: `https://docs.google.com/spreadsheets/d/${sheet}/export?${query}`, kind: 'Google Sheet' };
}
