import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { QrCode, UpdateQrCode } from '@signpost/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { currentMode, useMode } from '../../api/mode.ts';
import { call } from '../../api/operations.ts';
import { isApiError } from '../../api/request.ts';
import { codesText } from '../../strings/codes.ts';
import { notifyDone, notifyProblem } from '../../ui/problem.tsx';
import { type Changeable, describeChange, inverseOf } from './changes.ts';
import { Conflict, conflictingFields } from './conflict.ts';
import { codeQuery, useForgetCodes } from './queries.ts';

const text = codesText.changes;
/** Somebody else may save again between a read and the change that follows it. */
const maxTries = 4;

type Change = {
  readonly before: Changeable;
  readonly body: UpdateQrCode;
  readonly isUndo?: boolean;
  /** What is done about a refusal; else a toast says it. */
  readonly onRefused?: (error: unknown, again: () => void) => void;
} & Conditions;

type Conditions = {
  /** The code that the change began with: what somebody else has changed since is not overwritten. */
  readonly base?: QrCode | undefined;
  readonly onDone?: (after: QrCode) => void;
};

/** Changes a code and says so, with an Undo beside it. From then on every scan is sent to the new place. */
export function useUpdateCode(code: Changeable) {
  const mode = useMode();
  const client = useQueryClient();
  const forget = useForgetCodes();
  const mutation = useMutation({
    mutationFn: send,
    onSuccess: async (after, { before, body, isUndo, base, onDone }) => {
      client.setQueryData(codeQuery(mode, before.id).queryKey, after);
      onDone?.(after);
      const inverse = inverseOf(before, body);
      if (isUndo) notifyDone(text.undone);
      else
        notifyChange(
          describeChange(before, body, after.availability.state),
          inverse &&
            (() =>
              undo({
                before: after,
                body: inverse,
                isUndo: true,
                base: base && after,
              })),
        );
      await forget();
    },
    onError: (error, change) => {
      if (error instanceof Conflict)
        client.setQueryData(codeQuery(mode, error.latest.id).queryKey, error.latest);
      if (change.onRefused) change.onRefused(error, () => mutation.mutate(change));
      else notifyProblem(error, text.failed);
    },
  });

  /** The toast outlives the page, and the other mode has no such code. */
  function undo(change: Change): void {
    if (currentMode() === mode) mutation.mutate(change);
    else notifyDone(text.otherMode[mode]);
  }

  return {
    isPending: mutation.isPending,
    change: (body: UpdateQrCode, onRefused?: Change['onRefused'], conditions: Conditions = {}) =>
      mutation.mutate({
        before: conditions.base ?? code,
        body,
        ...(onRefused ? { onRefused } : {}),
        ...conditions,
      }),
  };
}

/** Changes of others to other fields stay; one of the same field is a conflict. */
async function send({ before, body, base }: Change): Promise<QrCode> {
  const params = { id: before.id };
  let latest = base;
  for (let tries = 1; ; tries += 1) {
    const headers = latest ? { 'if-match': `"${latest.revision}"` } : {};
    try {
      return await call('updateQrCode', { params, body }, undefined, { headers });
    } catch (error) {
      if (!base || !isApiError(error) || error.status !== 412 || tries === maxTries) throw error;
      latest = await call('getQrCode', { params });
      const fields = conflictingFields(body, base, latest);
      if (fields.length > 0) throw new Conflict(latest, fields);
    }
  }
}

function notifyChange(message: string, undo: (() => void) | null): void {
  if (!undo) {
    notifyDone(message);
    return;
  }
  const id = notifications.show({
    autoClose: 10_000,
    message: (
      <Group justify="space-between" gap="sm" wrap="nowrap">
        <Text size="sm">{message}</Text>
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => {
            notifications.hide(id);
            undo();
          }}
        >
          {text.undo}
        </Button>
      </Group>
    ),
  });
}
