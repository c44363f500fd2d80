import { createHmac } from 'node:crypto';

/** The headers of Standard Webhooks for one try. */
export type SignedHeaders = {
  readonly 'webhook-id': string;
  readonly 'webhook-timestamp': string;
  readonly 'webhook-signature': string;
  /** Only on tests: the body of one is like any other. */
  readonly 'x-signpost-test'?: 'true';
};

/**
 * Signs `id.timestamp.body`, once by each secret: a receiver takes the message when one of the signatures is right.
 * The timestamp is that of the try, so that an old message cannot be sent again by somebody else.
 */
export function sign(
  id: string,
  at: Date,
  body: string,
  secrets: readonly Buffer[],
  { isTest = false }: { readonly isTest?: boolean } = {},
): SignedHeaders {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signatures = secrets.map(
    secret => `v1,${createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64')}`,
  );
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
    ...(isTest ? { 'x-signpost-test': 'true' } : {}),
  };
}
