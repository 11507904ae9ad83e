/** Sets the theme before the first paint: what was chosen, else what the system prefers. */
const chosen = (() => {
  try {
    return localStorage.getItem('tuckbox-theme');
  } catch {
    return null;
  }
})();
const dark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
