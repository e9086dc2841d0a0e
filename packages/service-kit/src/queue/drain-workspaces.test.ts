import { expect, test } from 'vitest'
import { drainWorkspaces } from './drain-workspaces.ts'
import { laneOf } from './lanes.ts'

const all = Array.from({ length: 500 }, (_, number) => number.toString(16).padStart(24, '0'))
const lane = laneOf(all[0] ?? '')
const own = all.filter((id) => laneOf(id) === lane)

test('a workspace whose events cannot be read does not keep the others of its lane from theirs', async () => {
  const read: string[] = []
  const work = async (id: string) => {
    read.push(id)
    if (id === own[0]) throw new Error('not readable')
    return id === own[1]
  }
  await expect(drainWorkspaces(lane, all, work)).rejects.toMatchObject({
    message: `the work of workspace ${own[0]} failed`,
    cause: { message: 'not readable' },
  })
  expect(own.length).toBeGreaterThan(3)
  expect(read).toEqual(own)
})

test('a lane has more while one of its workspaces has', async () => {
  expect(await drainWorkspaces(lane, all, async (id) => id === own[1])).toBe(true)
  expect(await drainWorkspaces(lane, all, async () => false)).toBe(false)
})
