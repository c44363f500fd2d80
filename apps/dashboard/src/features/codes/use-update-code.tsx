import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { QrCode, UpdateQrCode } from '@signpost/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { currentMode, useMode } from '../../api/mode.ts';
import { call } from '../../api/operations.ts';
import { codesText } from '../../strings/codes.ts';
import { notifyDone, notifyProblem } from '../../ui/problem.tsx';
import { type Changeable, describeChange, inverseOf } from './changes.ts';
import { codeQuery, useForgetCodes } from './queries.ts';

const text = codesText.changes;

type Change = {
  readonly before: Changeable;
  readonly body: UpdateQrCode;
  readonly isUndo?: boolean;
  /** What is done about a refusal; else a toast says it. */
  readonly onRefused?: (error: unknown, again: () => void) => void;
} & Conditions;

type Conditions = {
  /** Nothing is changed if somebody else has changed the code since this one. */
  readonly revision?: number;
  readonly onDone?: (after: QrCode) => void;
};

/** Changes a code and says so, with an Undo beside it. From then on every scan is sent to the new place. */
export function useUpdateCode(code: Changeable) {
  const mode = useMode();
  const client = useQueryClient();
  const forget = useForgetCodes();
  const mutation = useMutation({
    mutationFn: ({ before, body, revision }: Change) =>
      call(
        'updateQrCode',
        { params: { id: before.id }, body },
        undefined,
        revision === undefined ? {} : { 'if-match': `"${revision}"` },
      ),
    onSuccess: async (after, { before, body, isUndo, revision, onDone }) => {
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
                ...(revision === undefined ? {} : { revision: after.revision }),
              })),
        );
      await forget();
    },
    onError: (error, change) => {
      if (change.onRefused) change.onRefused(error, () => mutation.mutate(change));
      else notifyProblem(error, text.failed);
    },
  });

  /** The toast outlives the page, and the other mode has no such code. */
  function undo(change: Change): void {
    if (currentMode() === mode) mutation.mutate(change);
    else notifyDone(text.otherMode(mode));
  }

  return {
    isPending: mutation.isPending,
    change: (body: UpdateQrCode, onRefused?: Change['onRefused'], conditions: Conditions = {}) =>
      mutation.mutate({ before: code, body, ...(onRefused ? { onRefused } : {}), ...conditions }),
  };
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
