/** A code that redirects: all that another server needs to redirect in our place. */
export type RedirectEntry = {
  /** The path of the short link, with its leading slash. */
  readonly path: string;
  readonly destinationUrl: string;
};

/** A host with what redirects on it. */
export type RedirectHost = { readonly host: string; readonly entries: readonly RedirectEntry[] };

/** The redirects as configuration of other servers, one file each, with one server for each host. */
export const redirectMaps: Readonly<Record<string, (hosts: readonly RedirectHost[]) => string>> = {
  'nginx.conf': nginxMap,
  Caddyfile: caddyMap,
  'cloudflare.json': cloudflareMap,
};

const dollarSign = ['$', '{signpost_dollar}'].join('');

/** nginx ignores the case of map keys, as we do. A dollar sign can only be written as a variable. */
function nginxMap(hosts: readonly RedirectHost[]): string {
  const total = hosts.reduce((sum, { entries }) => sum + entries.length, 0);
  return `# For nginx: include this file inside http {}.
map_hash_max_size ${Math.max(2048, 2 ** Math.ceil(Math.log2(total * 4 + 1)))};
map_hash_bucket_size 256;

geo $signpost_dollar {
  default "$";
}
${hosts.map(nginxServer).join('')}`;
}

function nginxServer({ host, entries }: RedirectHost, index: number): string {
  const quoted = (url: string) =>
    `"${url.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('$', dollarSign)}"`;
  const lines = entries.map(
    ({ path, destinationUrl }) =>
      `  ${path} ${quoted(destinationUrl)};\n  ${path}/ ${quoted(destinationUrl)};`,
  );
  const destination = `$signpost_destination${index === 0 ? '' : `_${index + 1}`}`;
  return `
map $uri ${destination} {
  default "";
${lines.join('\n')}
}

server {
  listen 80;
  server_name ${host};
  location / {
    if (${destination} = "") {
      return 404;
    }
    add_header Cache-Control "private, no-store" always;
    return 302 ${destination};
  }
}
`;
}

function caddyMap(hosts: readonly RedirectHost[]): string {
  return `# For Caddy.\n${hosts.map(caddySite).join('')}`;
}

/**
 * Caddy ignores the case of paths. An unquoted token is literal with three exceptions: a brace begins a placeholder, `{$` one
 * of the environment, which cannot be escaped, and a backslash at the end is dropped. URLs should not contain the last
 * two; they are written as %7B and %5C.
 */
function caddySite({ host, entries }: RedirectHost): string {
  const bare = (url: string) => {
    const safe = url.replaceAll('{$', '%7B$').replace(/\\$/, '%5C');
    return safe.includes('{') ? safe.replaceAll(/[{}]/g, '\\$&') : safe;
  };
  const lines = entries.map(({ path, destinationUrl }, index) =>
    [`  @code${index} path ${path} ${path}/`, `  redir @code${index} ${bare(destinationUrl)} 302`].join('\n'),
  );
  return `${host} {
  header Cache-Control "private, no-store"
${lines.join('\n')}
  respond 404
}
`;
}

/** Items of a Bulk Redirect List. It is case-sensitive, so a code with capitals is also listed in lower case. */
function cloudflareMap(hosts: readonly RedirectHost[]): string {
  const items = hosts.flatMap(({ host, entries }) =>
    entries.flatMap(({ path, destinationUrl }) =>
      [...new Set([path, path.toLowerCase()])].map(spelling => ({
        redirect: { source_url: `${host}${spelling}`, target_url: destinationUrl, status_code: 302 },
      })),
    ),
  );
  return `${JSON.stringify(items, null, 1)}\n`;
}
