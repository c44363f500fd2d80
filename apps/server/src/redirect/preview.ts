import type { IncomingMessage } from 'node:http';
import { escapeHtml, signPage } from '../http/sign-page.ts';
import { linkKeyIn } from '../kernel/link-key.ts';
import type { SlidingWindows } from '../kernel/sliding-windows.ts';
import { within } from '../kernel/within.ts';
import { type Database, sql } from '../platform/postgres.ts';
import type { DatabaseWatch } from './database-watch.ts';
import { hostIn, type Link } from './link.ts';
import type { LookUpGate } from './look-up-gate.ts';
import { prefersJson } from './pages.ts';

/** Where a code leads, for those who look before they go: `<short link>+`. Nobody is sent on, and nothing is counted. */
export type Previews = {
  /** Whether this block may have one more. */
  take(block: string): boolean;
  /** Always from PostgreSQL. `none`: the code went away a moment ago. */
  look(link: Link, block: string): Promise<Preview | 'none' | 'busy' | 'away'>;
  present(preview: Preview, accept: IncomingMessage['headers']['accept']): PreviewAnswer;
};

export type Preview = {
  /** In punycode alone: other letters can be made to look like a name that people know. */
  readonly hosts: readonly string[];
  readonly hasMore: boolean;
  /** The day of the last change, in UTC. */
  readonly updatedOn: string;
};

export type PreviewAnswer = { readonly headers: Readonly<Record<string, string>>; readonly body: string };

type Options = {
  readonly db: Database;
  readonly watch: Pick<DatabaseWatch, 'ask' | 'silentMs'>;
  /** Not the one of scans: whoever only looks takes no place of anybody who scans. */
  readonly gate: LookUpGate;
  readonly windows: SlidingWindows;
  readonly perMinute: number;
  readonly lookUpMs: number;
  readonly publicUrl: string;
  readonly onAway: (error: unknown) => void;
};

/** The key of the link before a `+`, or null where the path is no such thing. */
export function previewKeyIn(url: string): string | null {
  const [, path] = /^([^?#]*[^/?#])(?:\+|%2b)\/?(?:[?#]|$)/i.exec(url) ?? [];
  return path === undefined ? null : linkKeyIn(path);
}

const mostHosts = 20;

const previewCode = sql(
  'preview-code',
  `select destination_url, updated_at, array(
            select distinct host from code_targets where qr_code_id = c.id order by host limit ${mostHosts + 1}
          ) as hosts
     from qr_codes c where id = $1 and status = 'active'`,
);

type Row = { destination_url: string; updated_at: Date; hosts: string[] };

export function createPreviews(options: Options): Previews {
  const { db, watch, gate, windows, perMinute, lookUpMs, publicUrl, onAway } = options;
  const reportUrl = escapeHtml(`${publicUrl}/report`);
  return {
    take: block => windows.take(block, perMinute).allowed,

    async look({ qrCodeId }, block) {
      if (watch.silentMs() >= lookUpMs) return 'away';
      const leave = gate.enter('unlikely', block);
      if (!leave) return 'busy';
      try {
        const rows = await within(
          lookUpMs,
          watch.ask(() => db.query<Row>(previewCode, [qrCodeId])),
        );
        return rows[0] ? toPreview(rows[0]) : 'none';
      } catch (error) {
        onAway(error);
        return 'away';
      } finally {
        leave();
      }
    },

    present(preview, accept) {
      const { html, headers } = pageOf(preview, reportUrl);
      if (!prefersJson(accept)) return { headers, body: html };
      const { hosts, updatedOn } = preview;
      return {
        headers: { ...headers, 'content-type': 'application/json; charset=utf-8' },
        body: JSON.stringify({ hosts, updated_on: updatedOn }),
      };
    },
  };
}

/** Codes from before the table of targets may not be in it yet. */
function toPreview({ destination_url: destination, updated_at: updatedAt, hosts }: Row): Preview {
  // What is no URL is refused before it is stored; there may be some from before that.
  const all = hosts.length > 0 ? hosts : [hostIn(destination) || 'an address that cannot be read'];
  return {
    hosts: all.slice(0, mostHosts),
    hasMore: all.length > mostHosts,
    updatedOn: updatedAt.toISOString().slice(0, 10),
  };
}

const dayFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

function pageOf({ hosts, hasMore, updatedOn }: Preview, reportUrl: string) {
  const title = hosts.length > 1 ? 'This code can lead to' : 'This code leads to';
  const items = [...hosts.map(host => escapeHtml(host)), ...(hasMore ? ['and more'] : [])];
  return signPage({
    title,
    layout: 'words',
    main: `<h1>${title}</h1>
<ul>
${items.map(item => `<li>${item}</li>`).join('\n')}
</ul>
<p>Last changed on <time datetime="${updatedOn}">${dayFormat.format(new Date(updatedOn))}</time>.</p>
<p>This is only a preview: you were not sent on, and no scan was counted. We do not run these sites, and they may redirect you again.</p>
<p><a href="${reportUrl}">Report a harmful link</a></p>`,
  });
}
