import { AppError } from '../../kernel/errors.ts';
import { commonPasswords, commonWords } from './common-words.ts';

/** What is known about the person who chooses a password, and is guessed first. */
export type PersonalDetails = { readonly email: string; readonly name?: string };

/** Refuses a password that a list of common passwords, or of the person's own details, would find within the first guesses. */
export function refuseCommonPassword(password: string, person: PersonalDetails, param = 'password'): void {
  if (!isCommonPassword(password, person)) return;
  throw new AppError(
    'invalid_request',
    'This password is easy to guess: it is common, a simple pattern, or made of your e-mail address or name. Choose another one, such as four random words.',
    { param },
  );
}

export function isCommonPassword(password: string, person: PersonalDetails): boolean {
  const folded = password.normalize('NFKC').toLowerCase();
  return (
    commonPasswords.has(folded) ||
    hasFewCharacters(folded) ||
    isRepeated(folded) ||
    isSequence(folded) ||
    isMadeOfCommonWords(folded) ||
    isMadeOfPersonalDetails(folded, person)
  );
}

const hasFewCharacters = (text: string) => new Set(text).size <= 3;

/** One part repeated: `abcabcabc`, `passwordpassword`. */
function isRepeated(text: string): boolean {
  for (let size = 1; size <= text.length / 2; size++) {
    if (
      text ===
      text
        .slice(0, size)
        .repeat(Math.ceil(text.length / size))
        .slice(0, text.length)
    )
      return true;
  }
  return false;
}

const keyboardRows = [
  '01234567890',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'qwertzuiop',
];
const keyboardColumns = ['1qaz', '2wsx', '3edc', '4rfv', '5tgb', '6yhn', '7ujm', '8ik', '9ol', '0p'];
const adjacentPairs = new Set(
  [...keyboardRows, ...keyboardColumns].flatMap(line => {
    const pairs = [...line].slice(1).map((after, index) => `${line[index]}${after}`);
    return [...pairs, ...pairs.map(([a, b]) => `${b}${a}`)];
  }),
);

/** Nearly every character follows the one before it in the alphabet, in numbers or on a keyboard. */
function isSequence(text: string): boolean {
  const characters = [...text];
  const jumps = characters.slice(1).filter((after, index) => {
    const before = characters[index]!;
    return after !== before && !adjacentPairs.has(before + after);
  });
  return jumps.length <= (characters.length - 1) / 4;
}

const leet: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '8': 'b',
  '@': 'a',
  $: 's',
  '!': 'i',
};
const undoLeet = (text: string) => text.replace(/[0134578@$!]/g, character => leet[character]!);
const keepLetters = (text: string) => text.replace(/[^\p{L}]/gu, '');
const trimToLetters = (text: string) => text.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '');

/** Digits and symbols without letters are birthdays and telephone numbers, unless they are longer than those. */
const minLetterless = 16;

/** A common word or two, with any digits and symbols around and between them: `Summer2026!`, `P4ssw0rd-admin`. */
function isMadeOfCommonWords(text: string): boolean {
  const readings = [
    keepLetters(text),
    keepLetters(undoLeet(trimToLetters(text))),
    keepLetters(undoLeet(text)),
  ];
  if (readings[0] === '' && [...text].length < minLetterless) return true;
  return readings.some(isOneOrTwoWords);
}

function isOneOrTwoWords(text: string): boolean {
  if (commonWords.has(text) || commonPasswords.has(text)) return true;
  for (let cut = 3; cut <= text.length - 3; cut++) {
    if (commonWords.has(text.slice(0, cut)) && commonWords.has(text.slice(cut))) return true;
  }
  return false;
}

/** Without the person's own details and our name, too few characters are left to be hard to guess. */
function isMadeOfPersonalDetails(text: string, { email, name = '' }: PersonalDetails): boolean {
  const [local = '', domain = ''] = email.toLowerCase().split('@');
  const details = [
    email.toLowerCase(),
    local,
    ...local.split(/[^\p{L}\p{N}]+/u),
    ...domain.split('.'),
    ...name.toLowerCase().split(/[^\p{L}\p{N}]+/u),
    'signpost',
  ].filter(word => word.length >= 4);
  const remaining = details
    .toSorted((a, b) => b.length - a.length)
    .reduce((rest, word) => rest.replaceAll(word, ''), text);
  return remaining !== text && remaining.replace(/[^\p{L}\p{N}]/gu, '').length < 6;
}
