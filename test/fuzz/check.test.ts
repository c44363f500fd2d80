import { errorTable, openApiDocument } from '@signpost/contract';
import { readDocument } from '@signpost/testing/openapi/document.ts';
import type { Answer } from '@signpost/testing/raw-http.ts';
import { describe, expect, test } from 'vitest';
import { echoFault, faultOf } from './check.ts';
import type { Request } from './request.ts';

const document = readDocument(JSON.parse(JSON.stringify(openApiDocument('https://api.signpost.example'))));

const request: Request = { method: 'GET', target: '/v1/qrcodes', headers: [], body: null };
const headers = {
  'content-type': 'application/json; charset=utf-8',
  'x-request-id': 'req_1',
  'x-ratelimit-limit': '10',
  'x-ratelimit-remaining': '9',
  'x-ratelimit-reset': '1',
};
const emptyList = { data: [], pagination: { page: 1, limit: 20, total: 0, total_pages: 0, has_more: false } };

const answer = (status: number, body: unknown, more: Record<string, string> = {}): Answer => ({
  status,
  headers: { ...headers, ...more },
  body: Buffer.from(JSON.stringify(body)),
});
const error = (code: string, message = 'No.') => ({
  error: { code, message, request_id: 'req_1', doc_url: 'https://api.signpost.example/docs' },
});
const fault = (given: Answer | string, astray = false, asked = request) =>
  faultOf({ request: asked, answer: given, astray }, document);

describe('a response is wrong', () => {
  test.each<[string, Answer | string]>([
    ['when there is none', 'no answer in time'],
    ['when it is a fault of the server', answer(500, error('internal_error'))],
    ['when the server is away', answer(503, error('unavailable'))],
    ['when its status is not declared', answer(418, error('invalid_request'))],
    ['when its status belongs to another operation', answer(404, error('not_found'))],
    ['when its media type is not declared', answer(200, emptyList, { 'content-type': 'text/html' })],
    ['when its body is not as declared', answer(200, { ...emptyList, extra: 1 })],
    ['when it does not name the request', answer(200, emptyList, { 'x-request-id': '' })],
    ['when it does not tell the limit', answer(200, emptyList, { 'x-ratelimit-reset': 'soon' })],
    ['when its code is not listed', answer(400, error('no_such_code'))],
    ['when its code has another status', answer(400, error('rate_limit_exceeded'))],
    ['when it shows a stack', answer(400, error('invalid_request', 'x\n    at f (file.ts:1:2)'))],
    ['when it shows the database', answer(400, error('invalid_request', 'relation "qr_codes"'))],
    [
      'when its error is about another request',
      answer(400, error('invalid_request'), { 'x-request-id': 'b' }),
    ],
  ])('%s', (_name, given) => {
    expect(fault(given)).not.toBeNull();
  });
});

describe('a response is right', () => {
  test('when it matches the document', () => {
    expect(fault(answer(200, emptyList))).toBeNull();
    expect(fault(answer(400, error('invalid_request')))).toBeNull();
    expect(errorTable.invalid_request.status).toBe(400);
  });

  test('when a misrouted request is refused in the usual form', () => {
    expect(fault(answer(404, error('not_found')), true)).toBeNull();
    expect(fault(answer(404, error('not_found')), false, { ...request, target: '/v1/nothing' })).toBeNull();
  });
});

test('a created code must be returned and read back as it was sent', () => {
  const asked = { ...request, body: Buffer.from('{"name":"é","destination_url":"HTTP://a.example"}') };
  const made = { name: 'é', destination_url: 'HTTP://a.example' };
  expect(echoFault(asked, answer(201, made), answer(200, made))).toBeNull();
  expect(echoFault(asked, answer(201, made), answer(404, error('not_found')))).not.toBeNull();
  expect(echoFault(asked, answer(201, { ...made, name: 'e\u0301' }), answer(200, made))).not.toBeNull();
  const tidied = { ...made, destination_url: 'http://a.example/' };
  expect(echoFault(asked, answer(201, made), answer(200, tidied))).not.toBeNull();
});
