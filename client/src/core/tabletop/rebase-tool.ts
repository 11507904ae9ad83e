/**
 * Addresses of a save's images are known only once they are hosted. Until then they begin with this text; a page in the
 * same ZIP replaces it with the real address.
 */
export const IMAGES_PLACEHOLDER = 'https://pictures.invalid/';

/** The game's prefix for images on a local disk. */
const EXAMPLES = ['https://example.org/my-game/', 'file:///C:/Users/me/Documents/my-game/pictures/'];

/** A page that works offline: takes a saved object and an address, and returns the finished saved object. */
export function rebasePage(save: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Set the address of the pictures</title>
<style>
  body { max-width: 40rem; margin: 3rem auto; padding: 0 1rem; font: 16px/1.5 system-ui, sans-serif; }
  label, input, button { display: block; width: 100%; box-sizing: border-box; margin: .4rem 0; font: inherit; }
  input, button { padding: .6rem; }
  output { display: block; margin-top: 1rem; white-space: pre-line; }
</style>
<h1>Set the address of the pictures</h1>
<p>Put the folder <code>pictures</code> where every player can reach it, then say where that is.
The folder's address must end in a slash, such as <code>${EXAMPLES[0]}</code>, or
<code>${EXAMPLES[1]}</code> to try it alone.</p>
<label for="file">Saved object (${escapeHtml(save)}, or one that was set before)</label>
<input id="file" type="file" accept=".json">
<label for="old">Address in it now</label>
<input id="old" value="${IMAGES_PLACEHOLDER}">
<label for="new">Address of the folder</label>
<input id="new" placeholder="${EXAMPLES[0]}">
<button id="go">Save with this address</button>
<output id="out" role="status"></output>
<script>
  const field = (id) => document.getElementById(id);
  field('go').onclick = async () => {
    const say = (text) => { field('out').textContent = text; };
    const file = field('file').files[0];
    const from = field('old').value.trim();
    const to = field('new').value.trim();
    if (!file) return say('Choose the saved object first.');
    if (!from) return say('Say which address is in it now.');
    if (!/^(https?:|file:)\\/\\/.+\\/$/.test(to)) return say('The address must begin with https://, http:// or file:// and end in a slash.');
    let data;
    try { data = JSON.parse(await file.text()); } catch { return say('That file is not JSON.'); }
    let count = 0;
    const walk = (value) => {
      if (typeof value === 'string' && value.startsWith(from)) { count++; return to + value.slice(from.length); }
      if (Array.isArray(value)) return value.map(walk);
      if (value && typeof value === 'object') return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, walk(one)]));
      return value;
    };
    const done = walk(data);
    if (count === 0) return say('No address in that file begins with ' + from + '.');
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([JSON.stringify(done, null, 2)], { type: 'application/json' }));
    link.download = file.name;
    link.click();
    say(count + ' addresses set.');
  };
</script>
`;
}

/** Replaces the beginning of every address of a save. */
export function rebaseUrls<T>(value: T, from: string, to: string): T {
  return mapStrings(value, (text) => (text.startsWith(from) ? to + text.slice(from.length) : text));
}

/** A copy of a plain value with every text in it changed. */
export function mapStrings<T>(value: T, change: (text: string) => string): T {
  if (typeof value === 'string') return change(value) as T;
  if (Array.isArray(value)) return value.map((one) => mapStrings(one, change)) as T;
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, mapStrings(one, change)])) as T;
  }
  return value;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
