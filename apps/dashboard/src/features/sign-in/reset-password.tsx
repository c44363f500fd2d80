import { Alert, PasswordInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { call } from '../../api/operations.ts';
import { notifyDone } from '../../ui/problem.tsx';
import { LinkAnchor } from '../../ui/router-link.tsx';
import { OutsideForm } from './form.tsx';
import { passwordFault, shortestPassword } from './rules.ts';

const route = getRouteApi('/outside/reset-password');

export function ResetPassword() {
  const { token, error } = route.useSearch();
  const navigate = useNavigate();
  const form = useForm({ initialValues: { newPassword: '' }, validate: { newPassword: passwordFault } });
  const change = useMutation({
    mutationFn: (password: string) => call('resetPassword', { body: { password, token: token ?? '' } }),
    onSuccess: async () => {
      notifyDone('Your password is changed. Sign in with the new one.');
      await navigate({ to: '/sign-in' });
    },
  });
  return (
    <OutsideForm
      title="Choose a new password"
      action="Change password"
      busy={change.isPending}
      error={change.error}
      failure="The password was not changed"
      onSubmit={form.onSubmit(({ newPassword }) => change.mutate(newPassword))}
      footer={<LinkAnchor to="/forgot-password">Ask for a new link</LinkAnchor>}
    >
      {(error || !token) && (
        <Alert color="orange" title="This link does not work any more" role="alert">
          Links work once, and not for long. Ask for a new one.
        </Alert>
      )}
      <PasswordInput
        label="New password"
        description={`At least ${shortestPassword} characters`}
        autoComplete="new-password"
        autoFocus
        {...form.getInputProps('newPassword')}
      />
    </OutsideForm>
  );
}
