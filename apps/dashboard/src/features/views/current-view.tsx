import { Button, Menu } from '@mantine/core';
import { modals } from '@mantine/modals';
import type { SavedView } from '@signpost/contract';
import { IconBookmark, IconChevronDown, IconPencil, IconTrash } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMode } from '../../api/mode.ts';
import { call } from '../../api/operations.ts';
import { viewsText } from '../../strings/views.ts';
import { notifyDone, notifyProblem } from '../../ui/problem.tsx';
import type { CodesSearch } from '../codes/codes-search.ts';
import { useRefusal } from '../shell/use-refusal.ts';
import { NameView } from './name-view.tsx';
import { viewsQuery } from './queries.ts';
import { queryOf } from './view-query.ts';

const text = viewsText;

/** The view that the list shows, with what can be done about it; else a button that saves it as one. */
export function CurrentView({ search }: { readonly search: CodesSearch }) {
  const { data: views } = useQuery(viewsQuery(useMode()));
  const isRefused = useRefusal('profile:manage') !== undefined;
  const query = queryOf(search);
  const view = views?.find(one => one.query === query);
  if (view) return <ViewMenu view={view} />;
  return (
    <Button
      size="compact-sm"
      variant="light"
      leftSection={<IconBookmark size={14} aria-hidden />}
      disabled={isRefused || !views}
      onClick={() => modals.open({ title: text.saveTitle, children: <NameView query={query} /> })}
    >
      {text.save}
    </Button>
  );
}

function ViewMenu({ view }: { readonly view: SavedView }) {
  const mode = useMode();
  const client = useQueryClient();
  const remove = useMutation({
    mutationFn: () => call('deleteView', { params: { id: view.id } }),
    onSuccess: async () => {
      notifyDone(text.deleted(view.name));
      await client.invalidateQueries({ queryKey: viewsQuery(mode).queryKey });
    },
    onError: error => notifyProblem(error, text.notDeleted),
  });
  return (
    <Menu position="bottom-start" withinPortal>
      <Menu.Target>
        <Button
          size="compact-sm"
          variant="light"
          leftSection={<IconBookmark size={14} aria-hidden />}
          rightSection={<IconChevronDown size={14} aria-hidden />}
          aria-label={text.actionsFor(view.name)}
        >
          {text.current(view.name)}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<IconPencil size={16} aria-hidden />}
          onClick={() => modals.open({ title: text.renameTitle, children: <NameView view={view} /> })}
        >
          {text.rename}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconTrash size={16} aria-hidden />}
          disabled={remove.isPending}
          onClick={() => remove.mutate()}
        >
          {text.delete}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
