import { runToEnd } from '@parley/service-kit/testing/start-process'
import { Types } from 'mongoose'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { auditKeys, startPeople } from './people.ts'
import type { Person } from './start-profile.ts'

export const verifyFile = `${import.meta.dirname}/../audit-verify.ts`

export interface Audited {
  readonly people: Awaited<ReturnType<typeof startPeople>>
  /** Owner of a workspace of each test. */
  readonly ann: Person
}

/** Gives a file people whose calls are audited. @param begin given them before each test. */
export function withAudit(begin: (audited: Audited) => void) {
  let people: Audited['people']
  beforeAll(async () => {
    people = await startPeople()
    people.messaging.state.plan = { ended: false }
  })
  afterAll(() => people.stop())
  beforeEach(async () => begin({ people, ann: await people.profile.signIn({ name: 'Ann Lee' }) }))

  const collection = () => people.profile.database.connection.collection('auditEntries')
  const own = (by: Person) => ({ workspaceId: new Types.ObjectId(by.context.workspaceId) })
  const list = async (by: Person, query = '') => (await people.call(by, 'GET', `/api/audit${query}`)).body
  return {
    collection,
    own,
    list,
    actionsOf: async (by: Person, query = ''): Promise<string[]> =>
      (await list(by, query)).items.map(({ action }: { action: string }) => action),
    rename: async (by: Person, name: string) => {
      const { version } = (await people.call(by, 'GET', '/api/workspace')).body
      return people.call(by, 'PATCH', '/api/workspace', { version, name })
    },
    verify: (by: Person, ...args: string[]) =>
      runToEnd(verifyFile, { MONGODB_URL: people.profile.database.url, AUDIT_KEYS: auditKeys }, [
        '--workspace',
        by.context.workspaceId,
        ...args,
      ]),
    sealed: (by: Person, count: number) =>
      expect.poll(() => collection().countDocuments({ ...own(by), seq: { $exists: true } })).toBe(count),
  }
}
