import { Types } from 'mongoose'
import { expect, vi } from 'vitest'
import type { startMessaging } from './start-messaging.ts'

type Parley = Awaited<ReturnType<typeof startMessaging>>
type Person = ReturnType<Parley['signIn']>

export const collections = [
  'contacts',
  'tags',
  'conversations',
  'messages',
  'numbers',
  'templates',
  'campaigns',
  'campaignRecipients',
  'notifications',
  'webhooks',
]

/** Sizes of the sample data, without what time adds to it. */
export const figures = {
  contacts: 8234,
  tags: 7,
  conversations: 320,
  numbers: 3,
  templates: 12,
  campaigns: 10,
  campaignRecipients: 12_302,
}

/** A call, until what it has begun is done: a busy machine takes longer to load than a call waits. */
export const settled = (person: Person, method: string, path: string) =>
  vi.waitFor(
    async () => {
      const answer = await person.call(method, path)
      expect(answer.status).toBe(200)
      expect(['loading', 'clearing']).not.toContain(answer.body.state)
      const { body } = await person.call('GET', '/api/sample-data')
      expect(['loading', 'clearing']).not.toContain(body.state)
      return answer
    },
    { timeout: 120_000, interval: 200 },
  )

/** Counts the records of each kind in a person's workspace. */
export async function stored({ database }: Pick<Parley, 'database'>, { workspaceId }: Person, filter: object = {}) {
  const inWorkspace = { workspaceId: new Types.ObjectId(workspaceId), ...filter }
  const counts = collections.map((name) => database.connection.collection(name).countDocuments(inWorkspace))
  return Object.fromEntries((await Promise.all(counts)).map((count, index) => [collections[index], count]))
}
