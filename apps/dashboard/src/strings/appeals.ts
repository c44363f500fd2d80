import { fill } from './fill.ts';

/** The words of suspensions as their owners see them, and of appeals. */
export const appealsText = {
  accountTitle: 'Your account is suspended',
  accountMeaning:
    'Your links don’t redirect anyone, and you can’t create or change anything. Nothing was deleted: you can still view and export your data, delete codes and revoke keys.',
  codeTitle: 'This code is suspended for safety',
  codeMeaning:
    'People who scan it see that it was blocked. Your edits are saved, but only the operator can release it.',
  since: (time: string) => fill('Since {time}', { time }),

  reason: 'the reason',
  yourAppeal: 'your appeal',
  answer: 'the answer',
  appealed: 'You appealed {at}.',
  waiting: 'The operator will read it. You can still change it.',
  answered: (time: string) =>
    fill('The operator read your appeal on {time}. The suspension stays.', { time }),
  answeredWith: (time: string, text: string) =>
    fill('The operator read your appeal on {time}. The suspension stays: {text}', { time, text }),

  appeal: 'Appeal',
  changeAppeal: 'Change appeal',
  appealAgain: 'Appeal again',

  form: {
    title: 'Appeal',
    changeTitle: 'Change your appeal',
    label: 'What should the operator know?',
    hint: 'Why this is a mistake, or what has changed since.',
    missing: 'Write a sentence or two',
    length: (characters: string, most: string) =>
      fill('{characters} of {most} characters', { characters, most }),
    failure: 'Your appeal was not sent',
    cancel: 'Cancel',
    send: 'Send appeal',
    sent: 'Appeal sent. The operator will read it.',
  },
} as const;
