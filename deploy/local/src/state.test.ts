import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openState } from './run-components.ts'
import { temporaryFolder } from './testing/temporary-folder.ts'

const local = { source: 'local', what: 'mongod 6.0' } as const
const elsewhere = { source: 'environment', what: 'db.example.com:27017' } as const

test('the same choice is fine, another one asks for --fresh and names both', () => {
  const file = join(temporaryFolder(), 'state.json')
  openState(file).check('mongodb', 'MongoDB', local)
  openState(file).keep('mongodb', local)
  const next = openState(file)
  next.check('mongodb', 'MongoDB', local)
  expect(() => next.check('mongodb', 'MongoDB', elsewhere)).toThrow(
    /MongoDB was mongod 6\.0 on this machine.*db\.example\.com:27017.*npm start -- --fresh/,
  )
})

test('another version series counts as another choice: its data files differ', () => {
  const file = join(temporaryFolder(), 'state.json')
  openState(file).keep('mongodb', local)
  expect(() => openState(file).check('mongodb', 'MongoDB', { source: 'local', what: 'mongod 8.0' })).toThrow(/--fresh/)
})

test('a component that is new to the folder needs no permission', () => {
  const file = join(temporaryFolder(), 'state.json')
  openState(file).keep('redis', { source: 'local', what: 'valkey-server 9.1' })
  expect(() => openState(file).check('mongodb', 'MongoDB', elsewhere)).not.toThrow()
})
