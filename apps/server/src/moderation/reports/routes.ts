import type { FastifyReply, FastifyRequest } from 'fastify';
import { findLink } from '../../domains/link.ts';
import type { App } from '../../http/app.ts';
import { toAppError, toStatus } from '../../http/errors.ts';
import { chooseLanguage, perLanguage } from '../../http/pages/language.ts';
import type { PublicPage } from '../../http/pages/public-page.ts';
import { addressBlock, type ClientAddress } from '../../kernel/addresses/client-address.ts';
import type { LinkNames } from '../../kernel/addresses/link-names.ts';
import type { AppError } from '../../kernel/errors.ts';
import type { Database } from '../../platform/postgres/postgres.ts';
import { maxFormBytes, maxLink, parseReportForm, readReportedLink } from './form.ts';
import type { ReportLimits } from './limits.ts';
import { createReportPages, type Refusal } from './pages.ts';
import type { Reports } from './service.ts';

type Parts = {
  readonly reports: Pick<Reports, 'find' | 'add'>;
  readonly limits: ReportLimits;
  readonly db: Database;
  readonly clientAddress: ClientAddress;
  readonly linkNames: LinkNames;
  readonly contact: string;
};

/**
 * The report page. It has no session and no cookie, so a form that another site posts does no harm: it only counts against the
 * limit of the browser that sends it.
 */
export function addReportRoutes(app: App, parts: Parts): void {
  const { reports, limits, db, clientAddress, linkNames } = parts;
  const byLanguage = perLanguage(language => createReportPages(language, parts));
  const pagesFor = (request: FastifyRequest) =>
    byLanguage[chooseLanguage(request.headers['accept-language'])];

  async function acceptReport(request: FastifyRequest, reply: FastifyReply) {
    const pages = pagesFor(request);
    const body = String(request.body ?? '');
    const link = await findLink(db, linkNames, readReportedLink(body));
    const form = parseReportForm(body, { parseKey: () => link?.key ?? null });
    if (form.kind === 'invalid') return send(reply, 400, pages.invalid(form.errors, link));
    const address = clientAddress(request.socket.remoteAddress ?? '', request.headers['x-forwarded-for']);
    const block = addressBlock(address);
    const lookUpLimit = await limits.takeLookUp(block);
    if (lookUpLimit) return refuse(request, reply, lookUpLimit.refusal, lookUpLimit.retryAfterSeconds);
    const code = await reports.find(db, form.linkKey);
    if (code === null) return send(reply, 400, pages.invalid({ link: 'unknown' }, link));
    const reportLimit = await limits.takeReport(block);
    if (reportLimit) return refuse(request, reply, reportLimit.refusal, reportLimit.retryAfterSeconds);
    await reports.add(db, code, { kind: form.report, text: form.text });
    return send(reply, 200, pages.thanks);
  }

  function refuse(
    request: FastifyRequest,
    reply: FastifyReply,
    refusal: Refusal,
    retryAfterSeconds?: number,
  ) {
    if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds));
    return send(reply, statusOfRefusal[refusal], pagesFor(request).refusals[refusal]);
  }

  app.register(async scope => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string' },
      async (_request: FastifyRequest, body: string) => body,
    );
    scope.setErrorHandler((error, request, reply) => {
      const fault = toAppError(error);
      const refusal = toRefusal(fault);
      if (refusal === 'unavailable') request.log.error({ err: fault.cause ?? fault }, 'request failed');
      return refuse(
        request,
        reply.removeHeader('connection'),
        refusal,
        refusal === 'unavailable' ? 60 : undefined,
      );
    });
    scope.get('/report', { config: { authScheme: 'open' } }, async (request, reply) => {
      const { link } = request.query as { readonly link?: unknown };
      const known =
        typeof link === 'string' && link.length <= maxLink ? await findLink(db, linkNames, link) : null;
      return send(reply, 200, pagesFor(request).form(known));
    });
    scope.post('/report', { config: { authScheme: 'open' }, bodyLimit: maxFormBytes }, acceptReport);
    scope.route({
      method: ['PUT', 'PATCH', 'DELETE', 'OPTIONS'],
      url: '/report',
      config: { authScheme: 'open' },
      // Before the body is read, which is not needed.
      onRequest: async (request, reply) =>
        refuse(request, reply.header('allow', 'GET, HEAD, POST'), 'not_allowed'),
      handler: async (_request, reply) => reply,
    });
  });
}

const send = (reply: FastifyReply, status: number, { html, headers }: PublicPage) =>
  reply.code(status).headers(headers).send(html);

const statusOfRefusal: Readonly<Record<Refusal, number>> = {
  limited: 429,
  full: 429,
  large: 413,
  no_form: 415,
  unavailable: 503,
  not_allowed: 405,
};

function toRefusal(fault: AppError): Refusal {
  const status = toStatus(fault);
  if (status >= 500) return 'unavailable';
  return status === 413 ? 'large' : 'no_form';
}
