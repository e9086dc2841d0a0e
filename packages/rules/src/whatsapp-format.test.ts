import { expect, test } from 'vitest'
import { type FormattedPiece, parseFormat } from './whatsapp-format.ts'

const letters = { bold: 'b', italic: 'i', strike: 's', mono: 'm' }
const shown = (pieces: readonly FormattedPiece[]): string =>
  pieces
    .map((piece) =>
      piece.kind === 'text' ? piece.text : `<${letters[piece.kind]}>${shown(piece.pieces)}</${letters[piece.kind]}>`,
    )
    .join('')

test.each([
  ['A *bold* word', 'A <b>bold</b> word'],
  ['*_both_*', '<b><i>both</i></b>'],
  ['~old~ new', '<s>old</s> new'],
  ['code ```a *b* c``` end', 'code <m>a *b* c</m> end'],
  ['two\n```line\nblock```', 'two\n<m>line\nblock</m>'],
  ['*two words*, then', '<b>two words</b>, then'],
  ['2 * 3 * 4', '2 * 3 * 4'],
  ['snake_case_name', 'snake_case_name'],
  ['{{first_name}} and {{last_name}}', '{{first_name}} and {{last_name}}'],
  ['*{{discount}} off*', '<b>{{discount}} off</b>'],
  ['*open', '*open'],
  ['*over\nlines*', '*over\nlines*'],
  ['* spaced *', '* spaced *'],
  ['**', '**'],
  ['*हमारे पैक*।', '<b>हमारे पैक</b>।'],
  ['```', '```'],
])('%j is read as %j', (text, expected) => {
  expect(shown(parseFormat(text))).toBe(expected)
})
