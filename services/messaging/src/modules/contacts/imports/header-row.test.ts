import { expect, test } from 'vitest'
import { headerRowOf, headersOf } from './header-row.ts'

test.each([
  ['a header', ['Name,Phone', 'Asha,9876543210'], 1],
  ['another language', ['Nom,Numéro', 'Asha,9876543210'], 1],
  ['words that nobody knows', ['Xyz,Abc', 'Asha,9876543210'], 1],
  ['no header', ['Asha,9876543210', 'Ravi,9876543211'], 0],
  ['nothing known at all', ['Asha,Pune', 'Ravi,Delhi'], 0],
  ['a title', ['Our customers,,', 'Name,Phone,City', 'Asha,9876543210,Pune'], 2],
  ['a title with a number', ['Call +91 98765 43999,', 'Report,March', 'Name,Phone', 'Asha,9876543210'], 3],
  ['a title above unknown words', ['Report', 'Xyz,Abc', 'Asha,9876543210'], 2],
  ['a header that comes again', ['Name,Phone', 'Asha,9876543210', 'Name,Phone', 'Ravi,9876543211'], 1],
  ['a header without people that have numbers', ['Report,', 'Name,Mobile', 'Asha,', 'Ravi,'], 2],
])('with %s the names of the columns stand in row %#', (_, lines, row) => {
  expect(headerRowOf(lines.map((line) => line.split(',')))).toBe(row)
})

test('a column of row names has no name of its own; a cell too many here and there is no column', () => {
  const shifted = [
    ['Name', 'Phone'],
    ['1', 'Asha', '+919876543210'],
    ['2', 'Ravi', '+919876543211'],
  ]
  expect(headersOf(shifted, 1)).toEqual(['', 'Name', 'Phone'])
  const ragged = [
    ['Name', 'Phone'],
    ['Asha', '9876543210'],
    ['Ravi', '9876543211'],
    ['Bo', '9876543212', 'x'],
  ]
  expect(headersOf(ragged, 1)).toEqual(['Name', 'Phone'])
  const unnamed = [
    ['Name', 'Phone'],
    ['Asha', '9876543210', 'Pune'],
    ['Ravi', '9876543211', 'Delhi'],
  ]
  expect(headersOf(unnamed, 1)).toEqual(['Name', 'Phone', ''])
})
