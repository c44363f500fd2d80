// The scheme that Mantine will choose, set before the first paint, so that a dark screen never flashes white.
{
  const kept = localStorage.getItem('mantine-color-scheme-value');
  const dark = kept === 'dark' || (kept !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
}
