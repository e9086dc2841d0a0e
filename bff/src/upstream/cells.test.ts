import { type Cells, oneCell } from '@parley/service-kit/core/cells'
import { expect, test, vi } from 'vitest'
import { createCellLookup } from './cells.ts'

const address = { messaging: 'http://m-west', automation: 'http://a-west' }
const cells: Cells = { urls: new Map([['west', address]]), weights: new Map() }
const workspaceId = 'a'.repeat(24)

function lookup(of: Cells) {
  const asked = vi.fn(async () => ({ cell: 'west' }))
  const callProfile = Object.assign(asked, { stream: vi.fn() })
  return { asked, cellOf: createCellLookup({ cells: of, callProfile: callProfile as never }) }
}

test('one cell costs no question', async () => {
  const { asked, cellOf } = lookup(oneCell)
  expect(await cellOf(workspaceId)).toBeUndefined()
  expect(asked).not.toHaveBeenCalled()
})

test('a workspace is asked for once, and an address that names none never', async () => {
  const { asked, cellOf } = lookup(cells)
  expect([await cellOf(workspaceId), await cellOf(workspaceId), await cellOf(undefined)]).toEqual([
    'west',
    'west',
    undefined,
  ])
  expect(asked).toHaveBeenCalledTimes(1)
})

test('an answer that fails is not remembered', async () => {
  const { asked, cellOf } = lookup(cells)
  asked.mockRejectedValueOnce(new Error('away'))
  await expect(cellOf(workspaceId)).rejects.toThrow('away')
  expect(await cellOf(workspaceId)).toBe('west')
})
