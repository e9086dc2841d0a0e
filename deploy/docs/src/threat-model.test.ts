import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = new URL('../../../', import.meta.url)
const text = readFileSync(new URL('deploy/docs/threat-model.md', root), 'utf8')
const rows = text.split('\n').flatMap((line) => {
  const cells = line.split('|').map((cell) => cell.trim())
  return /^\d+$/.test(cells[1] ?? '') ? [{ number: Number(cells[1]), kind: cells[2], shown: cells[5] ?? '' }] : []
})

test('each threat has a number, a kind and a test that is there', () => {
  expect(rows.map(({ number }) => number)).toEqual(rows.map((_row, index) => index + 1))
  for (const { number, kind, shown } of rows) {
    expect(kind, `threat ${number}`).toMatch(/^[STRIDE]$/)
    const files = [...shown.matchAll(/`([\w./-]+)`/g)].map(([, file = '']) => file)
    expect(
      files.filter((file) => !existsSync(fileURLToPath(new URL(file, root)))),
      `threat ${number}`,
    ).toEqual([])
    if (files.length === 0) expect(shown, `threat ${number}`).toMatch(/^none; /)
  }
})

test('every kind of threat is looked at', () => {
  expect(new Set(rows.map(({ kind }) => kind))).toEqual(new Set('STRIDE'))
  expect(rows.length).toBeGreaterThan(30)
})
