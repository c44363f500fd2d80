import { NativeSelect } from '@mantine/core';
import { isLanguage, type Language, languages } from '@signpost/contract/values.ts';
import { useMutation } from '@tanstack/react-query';
import { switchLanguage } from '../../api/chosen-language.ts';
import { call } from '../../api/operations.ts';
import { language, languageNames } from '../../strings/language.ts';
import { settingsText } from '../../strings/settings.ts';
import { Panel } from '../../ui/panel.tsx';
import { notifyProblem } from '../../ui/problem.tsx';
import { useRefusal } from '../shell/use-refusal.ts';

const text = settingsText.account.language;

const options = languages.map(value => ({ value, label: languageNames[value] }));

/** The language of the dashboard and of mails. A suspended account keeps the one it has on the server. */
export function LanguagePanel() {
  const refusal = useRefusal('profile:manage');
  const save = useMutation({
    mutationFn: (chosen: Language) => call('updateMe', { body: { language: chosen } }),
    onSuccess: (_, chosen) => switchLanguage(chosen),
    onError: error => notifyProblem(error, text.failed),
  });
  return (
    <Panel title={text.title}>
      <NativeSelect
        maw={420}
        label={text.label}
        description={refusal ?? text.hint}
        value={save.variables ?? language}
        disabled={save.isPending || refusal !== undefined}
        data={options}
        onChange={({ currentTarget: { value } }) => {
          if (isLanguage(value)) save.mutate(value);
        }}
      />
    </Panel>
  );
}
