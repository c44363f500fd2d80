import { Menu, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import type { Design } from '@signpost/contract';
import { IconCopyPlus, IconPencil, IconStar, IconStarOff, IconTrash } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMode } from '../../api/mode.ts';
import { call } from '../../api/operations.ts';
import { commonText } from '../../strings/common.ts';
import { designsText } from '../../strings/designs.ts';
import { MoreMenu } from '../../ui/more-menu.tsx';
import { notifyDone, notifyProblem } from '../../ui/problem.tsx';
import { useForgetDesigns } from './queries.ts';

const text = designsText.list;
const icon = { size: 16, 'aria-hidden': true } as const;

/** What can be done with a design. */
export function DesignMenu({ design }: { readonly design: Design }) {
  const { id, name, is_default: isDefault } = design;
  const navigate = useNavigate();
  const forget = useForgetDesigns(useMode());
  const setDefault = useMutation({
    mutationFn: () => call('updateDesign', { params: { id }, body: { is_default: !isDefault } }),
    onSuccess: async () => {
      await forget();
      notifyDone(isDefault ? text.noDefault : text.madeDefault(name));
    },
    onError: error => notifyProblem(error, text.notChanged),
  });
  const remove = useMutation({
    mutationFn: () => call('deleteDesign', { params: { id } }),
    onSuccess: async () => {
      await forget();
      notifyDone(text.deleted(name));
    },
    onError: error => notifyProblem(error, text.notDeleted),
  });
  const ask = () =>
    modals.openConfirmModal({
      title: text.deleteTitle(name),
      children: <Text size="sm">{text.deleteText}</Text>,
      labels: { confirm: text.deleteConfirm, cancel: commonText.cancel },
      confirmProps: { color: 'red.8' },
      onConfirm: () => remove.mutate(),
    });
  return (
    <MoreMenu label={text.more(name)}>
      <Menu.Item
        leftSection={<IconPencil {...icon} />}
        onClick={() => void navigate({ to: '/designs/$id', params: { id } })}
      >
        {text.edit}
      </Menu.Item>
      <Menu.Item
        leftSection={isDefault ? <IconStarOff {...icon} /> : <IconStar {...icon} />}
        onClick={() => setDefault.mutate()}
      >
        {isDefault ? text.clearDefault : text.makeDefault}
      </Menu.Item>
      <Menu.Item
        leftSection={<IconCopyPlus {...icon} />}
        onClick={() => void navigate({ to: '/designs/new', search: { from: id } })}
      >
        {text.duplicate}
      </Menu.Item>
      <Menu.Divider />
      <Menu.Item
        c="light-dark(var(--mantine-color-red-9), var(--mantine-color-red-4))"
        leftSection={<IconTrash {...icon} />}
        onClick={ask}
      >
        {text.delete}
      </Menu.Item>
    </MoreMenu>
  );
}
