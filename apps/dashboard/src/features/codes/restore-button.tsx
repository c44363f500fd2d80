import { Button } from '@mantine/core';
import { modals } from '@mantine/modals';
import type { QrCode, UpdateQrCode } from '@signpost/contract';
import { IconArrowBackUp } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { commonText } from '../../strings/common.ts';
import { useRefusal } from '../shell/use-refusal.ts';
import { useUpdateCode } from './use-update-code.tsx';

type Props = {
  readonly code: QrCode;
  readonly change: UpdateQrCode;
  readonly words: {
    readonly restore: string;
    readonly restoreTitle: string;
    readonly restoreConfirm: string;
  };
  /** The button by itself says not which of the changes it is about. */
  readonly label: string;
  /** Later changes lie between, so it is said what there is now and what there will be. */
  readonly children: ReactNode;
};

/** Brings back what a code had before an edit. What somebody else has changed since the page was read is not overwritten. */
export function RestoreButton({ code, change: body, words, label, children }: Props) {
  const { change, isPending } = useUpdateCode(code);
  const isRefused = useRefusal('qrcodes:write') !== undefined;
  const ask = () =>
    modals.openConfirmModal({
      title: words.restoreTitle,
      children,
      labels: { confirm: words.restoreConfirm, cancel: commonText.cancel },
      onConfirm: () => change(body, undefined, { base: code }),
    });
  return (
    <Button
      size="compact-xs"
      variant="default"
      leftSection={<IconArrowBackUp size={14} aria-hidden />}
      loading={isPending}
      disabled={isRefused}
      onClick={ask}
      aria-label={label}
    >
      {words.restore}
    </Button>
  );
}
