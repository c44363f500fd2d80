import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../http/app.ts';
import { statusOf, toAppError } from '../http/errors.ts';
import type { SignPage } from '../http/sign-page.ts';
import { addressBlock, type ClientAddress } from '../kernel/client-address.ts';
import type { AppError } from '../kernel/errors.ts';
import type { Database } from '../platform/postgres.ts';
import { maxFormBytes, parseReportForm } from './form.ts';
import type { ReportLimits } from './limits.ts';
import { createReportPages, type Refusal } from './pages.ts';
import type { Reports } from './service.ts';

type Parts = {
  readonly reports: Pick<Reports, 'find' | 'add'>;
  readonly limits: ReportLimits;
  readonly db: Database;
  readonly clientAddress: ClientAddress;
  readonly shortBaseUrl: string;
  readonly contact: string;
};

/**
 * The report page. It has no session and no cookie, so a form that another site posts does no harm: it counts against the
 * limit of the browser that was made to send it.
 */
export function addReportRoutes(app: App, parts: Parts): void {
  const { reports, limits, db, clientAddress, shortBaseUrl } = parts;
  const pages = createReportPages(parts);

  async function take(request: FastifyRequest, reply: FastifyReply) {
    const form = parseReportForm(String(request.body ?? ''), shortBaseUrl);
    if (form.kind === 'wrong') return send(reply, 400, pages.wrong(form.errors));
    const address = clientAddress(request.socket.remoteAddress ?? '', request.headers['x-forwarded-for']);
    const block = addressBlock(address);
    const looking = await limits.takeLookUp(block);
    if (looking) return refuse(reply, looking.refusal, looking.retryAfterSeconds);
    const code = await reports.find(db, form.linkKey);
    if (code === null) return send(reply, 400, pages.wrong({ link: 'unknown' }));
    const limited = await limits.takeReport(block);
    if (limited) return refuse(reply, limited.refusal, limited.retryAfterSeconds);
    await reports.add(db, code, { kind: form.report, text: form.text });
    return send(reply, 200, pages.thanks);
  }

  function refuse(reply: FastifyReply, refusal: Refusal, retryAfterSeconds?: number) {
    if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds));
    return send(reply, statusOfRefusal[refusal], pages.refusals[refusal]);
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
      const refusal = refusalOf(fault);
      if (refusal === 'unavailable') request.log.error({ err: fault.cause ?? fault }, 'request failed');
      return refuse(reply.removeHeader('connection'), refusal, refusal === 'unavailable' ? 60 : undefined);
    });
    scope.get('/report', { config: { constant: true } }, async (_request, reply) =>
      send(reply, 200, pages.form),
    );
    scope.post('/report', { bodyLimit: maxFormBytes }, take);
    scope.route({
      method: ['PUT', 'PATCH', 'DELETE', 'OPTIONS'],
      url: '/report',
      // Before a body is read that nobody has a use for.
      onRequest: async (_request, reply) => refuse(reply.header('allow', 'GET, HEAD, POST'), 'not_allowed'),
      handler: async (_request, reply) => reply,
    });
  });
}

const send = (reply: FastifyReply, status: number, { html, headers }: SignPage) =>
  reply.code(status).headers(headers).send(html);

const statusOfRefusal: Readonly<Record<Refusal, number>> = {
  limited: 429,
  full: 429,
  large: 413,
  no_form: 415,
  unavailable: 503,
  not_allowed: 405,
};

function refusalOf(fault: AppError): Refusal {
  const status = statusOf(fault);
  if (status >= 500) return 'unavailable';
  return status === 413 ? 'large' : 'no_form';
}
