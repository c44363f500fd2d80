/** What configurations of proxies need to know besides the hosts. */
type ProxyOptions = {
  /** The directory with a directory of certificates for each host, as certbot writes them. */
  readonly certificates: string;
  /** The issuer of cert-manager for the whole cluster. */
  readonly issuer: string;
  /** The Kubernetes service of the redirects. */
  readonly service: string;
};

/**
 * Active domains as configuration of proxies that get no certificates on demand. Hosts are what our own parser accepts:
 * letters, digits, dots, hyphens and underscores in lower case, so they mean nothing else in any of these languages.
 */
export const proxyConfigs: Readonly<
  Record<string, (hosts: readonly string[], options: ProxyOptions) => string>
> = { nginx: toNginx, 'cert-manager': toCertManager };

function toNginx(hosts: readonly string[], { certificates }: ProxyOptions): string {
  const servers = hosts.map(
    host => `
server {
  listen 443 ssl http2;
  server_name ${host};
  ssl_certificate     ${certificates}/${host}/fullchain.pem;
  ssl_certificate_key ${certificates}/${host}/privkey.pem;
  access_log off;

  location / {
    proxy_pass http://signpost;
    proxy_http_version 1.1;
    proxy_set_header Connection "";
    proxy_set_header Host $host;
    proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
  }
}
`,
  );
  return `# For nginx: include this file inside http {}, beside \`upstream signpost\` of docs/self-hosting/proxies.md.
${toNameTable(hosts)}${servers.join('')}`;
}

/** By default nginx has room for some hundred names, none longer than about 40 characters. */
function toNameTable(hosts: readonly string[]): string {
  const longest = Math.max(0, ...hosts.map(host => host.length));
  if (longest <= 40 && hosts.length <= 400) return '';
  return `server_names_hash_bucket_size 512;
server_names_hash_max_size ${2 ** Math.ceil(Math.log2(4 * hosts.length + 512))};
`;
}

/** Kubernetes refuses names with underscores, for which no public authority issues certificates either. */
function toCertManager(hosts: readonly string[], { issuer, service }: ProxyOptions): string {
  const possible = hosts.filter(host => !host.includes('_'));
  const skipped = hosts
    .filter(host => host.includes('_'))
    .map(host => `# ${host} has an underscore: not for Kubernetes.\n`);
  const documents = possible.map(
    host => `---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: "${host}"
  labels:
    app.kubernetes.io/part-of: signpost
  annotations:
    cert-manager.io/cluster-issuer: "${issuer}"
spec:
  tls:
    - secretName: "${host}"
      hosts: ["${host}"]
  rules:
    - host: "${host}"
      http:
        paths:
          - path: /
            pathType: Prefix
            backend:
              service:
                name: "${service}"
                port:
                  name: http
`,
  );
  return `# For kubectl apply: cert-manager gets a certificate for each of these.\n${skipped.join('')}${documents.join('')}`;
}
