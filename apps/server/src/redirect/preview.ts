import type { IncomingMessage } from 'node:http';
import { escapeHtml } from '../http/pages/escape-html.ts';
import { chooseLanguage } from '../http/pages/language.ts';
import { publicHeaders } from '../http/pages/public-page.ts';
import { parseLinkPath, parsePlacedLink } from '../kernel/addresses/link-key.ts';
import { withTimeout } from '../kernel/running/with-timeout.ts';
import type { SlidingWindows } from '../limits/sliding-windows.ts';
import { type Database, sql } from '../platform/postgres/postgres.ts';
import type { DatabaseWatch } from './links/database-watch.ts';
import type { Link } from './links/link.ts';
import type { LookupGate } from './links/lookup-gate.ts';
import { prefersJson } from './pages.ts';
import { type Preview, previewPage } from './preview-page.ts';

/** Where a code leads, for people who check first: `<short link>+`. It does not redirect, and counts no scan. */
export type Previews = {
  /** Whether this block of addresses may have one more. */
  take(block: string): boolean;
  /** Always from PostgreSQL. `none`: the code was deleted or stopped a moment ago. */
  lookUp(link: Link, block: string): Promise<Preview | 'none' | 'busy' | 'away'>;
  present(
    preview: Preview,
    linkKey: string,
    headers: Pick<IncomingMessage['headers'], 'accept' | 'accept-language'>,
  ): PreviewAnswer;
};

type PreviewAnswer = { readonly headers: Readonly<Record<string, string>>; readonly body: string };

type Options = {
  readonly db: Database;
  readonly watch: Pick<DatabaseWatch, 'track' | 'silentMs'>;
  /** Not the gate of scans: previews must not keep scans out. */
  readonly gate: LookupGate;
  readonly windows: SlidingWindows;
  readonly perMinute: number;
  readonly lookupTimeoutMs: number;
  readonly publicUrl: string;
  readonly onLookupError: (error: unknown) => void;
};

/** The key of the link before a `+`, or null where the path is not a preview. */
export function parsePreviewKey(url: string): string | null {
  const [, path] = /^([^?#]*[^/?#])(?:\+|%2b)\/?(?:[?#]|$)/i.exec(url) ?? [];
  return path === undefined ? null : (parseLinkPath(path) ?? parsePlacedLink(path)?.key ?? null);
}

const maxHosts = 20;

const previewCode = sql(
  'preview-code',
  `select updated_at, array(
            select distinct host from code_targets where qr_code_id = c.id order by host limit ${maxHosts + 1}
          ) as hosts
     from qr_codes c where id = $1 and status = 'active'`,
);

type Row = { updated_at: Date; hosts: string[] };

export function createPreviews(options: Options): Previews {
  const { db, watch, gate, windows, perMinute, lookupTimeoutMs, publicUrl, onLookupError } = options;
  return {
    take: block => windows.take(block, perMinute).allowed,

    async lookUp({ qrCodeId }, block) {
      if (watch.silentMs() >= lookupTimeoutMs) return 'away';
      const leave = gate.enter('unlikely', block);
      if (!leave) return 'busy';
      try {
        const rows = await withTimeout(
          lookupTimeoutMs,
          watch.track(() => db.query<Row>(previewCode, [qrCodeId])),
        );
        return rows[0] ? toPreview(rows[0]) : 'none';
      } catch (error) {
        onLookupError(error);
        return 'away';
      } finally {
        leave();
      }
    },

    present(preview, linkKey, { accept, 'accept-language': acceptLanguage }) {
      if (!prefersJson(accept)) {
        const reportUrl = escapeHtml(`${publicUrl}/report?link=${encodeURIComponent(linkKey)}`);
        const { html, headers } = previewPage(preview, reportUrl, chooseLanguage(acceptLanguage));
        return { headers: { ...headers, vary }, body: html };
      }
      const { hosts, updatedOn } = preview;
      return {
        headers: { ...publicHeaders('message'), 'content-type': 'application/json; charset=utf-8', vary },
        body: JSON.stringify({ hosts, updated_on: updatedOn }),
      };
    },
  };
}

const vary = 'Accept, Accept-Language';

const toPreview = ({ updated_at: updatedAt, hosts }: Row): Preview => ({
  hosts: hosts.slice(0, maxHosts),
  hasMore: hosts.length > maxHosts,
  updatedOn: updatedAt.toISOString().slice(0, 10),
});
