import { operations } from '@signpost/contract';
import { fastify } from 'fastify';
import { expect, test } from 'vitest';
import {
  hasListInTurns,
  itemSerializer,
  listInTurns,
  serializedList,
  serializeInTurns,
} from './list-in-turns.ts';

const { schema } = operations.bulkDeleteQrCodes.success;

const outcomes = Array.from({ length: 40 }, (_, index) =>
  index % 3 === 0
    ? {
        index,
        status: 'failed' as const,
        id: `qr_"${index}"`,
        error: { code: 'not_found' as const, message: 'No', request_id: 'req_1', doc_url: '/docs' },
      }
    : { index, status: 'deleted' as const, id: `qr_${String(index).padStart(26, '0')}` },
);

/** The response as the route's own serializer writes it, and as it is written in turns. */
async function bothForms(items: readonly object[], inTurns: (reply: object) => unknown[]) {
  const app = fastify({ serializerOpts: { ajv: { validateFormats: false } } });
  const head = { dry_run: false, deleted: 26, failed: 14, extra: 'left out' };
  app.get('/whole', { schema: { response: { 200: schema } } }, async () => ({ ...head, data: items }));
  app.get('/turns', async (_request, reply) => {
    const body = { ...head, data: inTurns(reply) };
    expect(hasListInTurns(body)).toBe(true);
    return Buffer.concat(await serializeInTurns(reply, schema, body));
  });
  const [whole, turns] = await Promise.all(['/whole', '/turns'].map(url => app.inject({ url })));
  await app.close();
  return [turns!.body, whole!.body];
}

test('a list that is serialized in turns reads as the route would write it', async () => {
  const [turns, whole] = await bothForms(outcomes, () => listInTurns(outcomes, outcome => outcome));
  expect(turns).toBe(whole);
  expect(JSON.parse(turns!).data).toHaveLength(40);
});

test('so does an empty one', async () => {
  const [turns, whole] = await bothForms([], () => listInTurns([], outcome => outcome));
  expect(turns).toBe(whole);
});

test('so does one whose items were serialized before', async () => {
  const [turns, whole] = await bothForms(outcomes, reply => {
    const toJson = itemSerializer(
      reply as Parameters<typeof itemSerializer>[0],
      schema.properties.data.items,
    );
    return serializedList(outcomes.map(outcome => Buffer.from(toJson(outcome))));
  });
  expect(turns).toBe(whole);
});

test('other responses have no such list', () => {
  for (const body of [null, undefined, 'text', { data: [] }]) expect(hasListInTurns(body)).toBe(false);
});
