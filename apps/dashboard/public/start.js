// Runs before the first paint and before the dashboard itself is loaded. In a file of its own: the policy lets no inline script run.
{
  // The scheme that Mantine will choose, so that a dark screen never flashes white.
  const kept = localStorage.getItem('mantine-color-scheme-value');
  const dark = kept === 'dark' || (kept !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');

  // Who is signed in, which every page but those around signing in asks first: on its way while the dashboard is loading
  // (src/api/early-me.ts).
  const isOutside =
    /^\/app\/(sign-in|sign-up|first-operator|forgot-password|reset-password|verify-email|confirm-email|invitation)\b/.test(
      location.pathname,
    );
  document.documentElement.toggleAttribute('data-outside', isOutside);
  if (!isOutside && localStorage.getItem('signpost-signed-in') === 'yes') {
    const mode = localStorage.getItem('signpost-mode') === 'test' ? 'test' : 'live';
    const account = sessionStorage.getItem('signpost-account') ?? localStorage.getItem('signpost-account');
    const headers = { accept: 'application/json', 'x-signpost-mode': mode };
    if (account) headers['x-signpost-account'] = account;
    window.signpostMe = fetch('/account/me', { credentials: 'same-origin', headers }).then(
      answer => (answer.ok ? answer.json() : undefined),
      () => undefined,
    );
  }
}
