import type { Delivery } from '@signpost/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Mode } from '../../api/mode.ts';
import { call } from '../../api/operations.ts';

export type DeliveryStatus = Delivery['status'];

/** Deliveries change by themselves; while their page is open they are asked for this often. */
const watchMs = 2_000;

export const webhooksQuery = (mode: Mode) =>
  queryOptions({
    queryKey: [mode, 'webhooks'],
    queryFn: ({ signal }) => call('listWebhooks', {}, signal),
  });

export const webhookQuery = (mode: Mode, id: string) =>
  queryOptions({
    queryKey: [mode, 'webhooks', id],
    queryFn: ({ signal }) => call('getWebhook', { params: { id } }, signal),
  });

export const deliveriesQuery = (mode: Mode, id: string, page: number, status: DeliveryStatus | null) =>
  queryOptions({
    queryKey: [mode, 'webhooks', id, 'deliveries', page, status],
    queryFn: ({ signal }) =>
      call(
        'listWebhookDeliveries',
        { params: { id }, query: { page, limit: 20, ...(status ? { status } : {}) } },
        signal,
      ),
    placeholderData: keepPreviousData,
    refetchInterval: watchMs,
  });

export const deliveryQuery = (mode: Mode, id: string) =>
  queryOptions({
    queryKey: [mode, 'delivery', id],
    queryFn: ({ signal }) => call('getWebhookDelivery', { params: { id } }, signal),
    refetchInterval: watchMs,
  });
