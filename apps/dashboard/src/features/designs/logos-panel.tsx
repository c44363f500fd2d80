import { ActionIcon, Group, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { IconTrash } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMode } from '../../api/mode.ts';
import { call } from '../../api/operations.ts';
import { commonText } from '../../strings/common.ts';
import { designsText } from '../../strings/designs.ts';
import { Panel } from '../../ui/panel.tsx';
import { notifyDone, notifyProblem } from '../../ui/problem.tsx';
import { useRoleRefusal } from '../shell/use-refusal.ts';
import classes from './designs-page.module.css';
import { LogoThumb } from './logo-thumb.tsx';
import { assetsQuery } from './queries.ts';

const text = designsText.logos;

/** The logos of the account, to delete those that nobody needs: they count against its plan. */
export function LogosPanel() {
  const mode = useMode();
  const { data = [] } = useQuery(assetsQuery(mode));
  const isAllowed = useRoleRefusal('designs:write') === undefined;
  const client = useQueryClient();
  const remove = useMutation({
    mutationFn: (id: string) => call('deleteAsset', { params: { id } }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: assetsQuery(mode).queryKey });
      notifyDone(text.deleted);
    },
    onError: error => notifyProblem(error, text.notDeleted),
  });
  const ask = (id: string) =>
    modals.openConfirmModal({
      title: text.deleteTitle,
      children: <Text size="sm">{text.deleteText}</Text>,
      labels: { confirm: text.deleteConfirm, cancel: commonText.cancel },
      confirmProps: { color: 'red.8' },
      onConfirm: () => remove.mutate(id),
    });
  if (data.length === 0) return null;
  return (
    <Panel title={text.title} description={text.description}>
      <Group gap="sm">
        {data.map(({ id, bytes }, at) => (
          <div key={id} className={classes.logo}>
            <LogoThumb id={id} label={text.item(at + 1)} />
            <Text size="xs" c="dimmed" className="figures">
              {text.size(Math.max(1, Math.round(bytes / 1000)))}
            </Text>
            {isAllowed && (
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={text.delete(at + 1)}
                onClick={() => ask(id)}
              >
                <IconTrash size={16} aria-hidden />
              </ActionIcon>
            )}
          </div>
        ))}
      </Group>
    </Panel>
  );
}
