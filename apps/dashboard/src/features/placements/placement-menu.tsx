import { ActionIcon, Group, Menu } from '@mantine/core';
import type { Placement, QrCode } from '@signpost/contract';
import { IconCopy, IconDots, IconDownload, IconPencil, IconTrash } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { call } from '../../api/operations.ts';
import { placementsText as text } from '../../strings/placements.ts';
import { notifyDone, notifyProblem } from '../../ui/problem.tsx';
import { copyLink } from '../codes/copy-link.ts';
import { openDownload } from '../codes/open-download.ts';
import { useRefusal } from '../shell/use-refusal.ts';
import { openEditPlacement } from './edit-placement.tsx';
import { useReloadCode } from './use-reload-code.ts';

const icon = { size: 16, 'aria-hidden': true } as const;

/** What can be done with a place: its code for print, its link, its name. */
export function PlacementMenu({ code, placement }: { readonly code: QrCode; readonly placement: Placement }) {
  const { key, name, note, short_url } = placement;
  const isRefused = useRefusal('qrcodes:write') !== undefined;
  const reload = useReloadCode(code.id);
  const onError = (error: unknown) => notifyProblem(error, text.failed);
  const restore = useMutation({
    mutationFn: () =>
      call('createPlacement', {
        params: { id: code.id },
        body: { key, name, ...(note === null ? {} : { note }) },
      }),
    onSuccess: async () => {
      notifyDone(text.restored(name));
      await reload();
    },
    onError,
  });
  const remove = useMutation({
    mutationFn: () => call('deletePlacement', { params: { id: code.id, key } }),
    onSuccess: async () => {
      notifyDone(text.removed(name), { onUndo: () => restore.mutate() });
      await reload();
    },
    onError,
  });
  return (
    <Group gap="xs" justify="flex-end" wrap="nowrap">
      <ActionIcon
        variant="default"
        size={36}
        aria-label={text.downloadOf(name)}
        title={text.download}
        onClick={() => void openDownload(code, key)}
      >
        <IconDownload {...icon} />
      </ActionIcon>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" size={36} aria-label={text.moreFor(name)}>
            <IconDots size={18} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconCopy {...icon} />} onClick={() => void copyLink(short_url)}>
            {text.copyLink}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconPencil {...icon} />}
            disabled={isRefused}
            onClick={() => openEditPlacement({ id: code.id, placement })}
          >
            {text.edit}
          </Menu.Item>
          <Menu.Item
            c="light-dark(var(--mantine-color-red-9), var(--mantine-color-red-4))"
            leftSection={<IconTrash {...icon} />}
            disabled={isRefused}
            onClick={() => remove.mutate()}
          >
            {text.remove}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </Group>
  );
}
