import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { keyRingSchema } from '@parley/service-kit/core/key-ring'
import { runToEnd } from '@parley/service-kit/testing/start-process'
import { Types } from 'mongoose'
import { beforeEach, describe, expect, test } from 'vitest'
import { createAuditRepository } from '../modules/audit/audit.repository.ts'
import { createPruner } from '../modules/audit/prune-entries.ts'
import { verifyWorkspace } from '../modules/audit/verify-workspace.ts'
import { type Audited, verifyFile, withAudit } from './audit-fixtures.ts'
import { auditKeys } from './people.ts'

let people: Audited['people']
let ann: Audited['ann']
const { collection, own, actionsOf, rename, verify, sealed } = withAudit((audited) => {
  ;({ people, ann } = audited)
})

describe('the chain', () => {
  /** Five entries, all sealed. */
  beforeEach(async () => {
    for (const name of ['A', 'B', 'C', 'D', 'E']) await rename(ann, name)
    await sealed(ann, 5)
  })
  const at = (seq: number) => ({ ...own(ann), seq })
  const read = async (seq: number) => (await collection().findOne(at(seq))) ?? { _id: new Types.ObjectId(), hash: '' }

  test('is whole after ordinary work', async () => {
    expect(await verify(ann)).toMatchObject({ exitCode: 0 })
  })

  const ring = keyRingSchema.parse(auditKeys)
  const ofAnn = () => ({ ring, workspaceId: ann.context.workspaceId })
  const storedRecords = () => createAuditRepository(people.profile.database.connection)

  test('entries that are added while it is verified are no fault', async () => {
    const records = storedRecords()
    const head: typeof records.head = async (scope) => {
      const before = await records.head(scope)
      if (before?.seq === 5) {
        await rename(ann, 'F')
        await sealed(ann, 6)
      }
      return before
    }
    const { faults, seq } = await verifyWorkspace({ ...ofAnn(), records: { ...records, head } })
    expect([faults, seq]).toEqual([[], 5])
  })

  test('is verified by several threads, and what they find is named', async () => {
    const records = storedRecords()
    const threads = { url: people.profile.database.url, count: 3, minEntries: 1 }
    const chained = () => {
      throw new Error('one thread has verified it again')
    }
    const { faults, count, hash } = await verifyWorkspace({ ...ofAnn(), records: { ...records, chained }, threads })
    expect([faults, count, hash]).toEqual([[], 5, (await read(5))['hash']])
    await collection().updateOne(at(3), { $set: { 'actor.id': 'f'.repeat(24) } })
    const altered = await verifyWorkspace({ ...ofAnn(), records, threads })
    expect(altered.faults).toMatchObject([{ seq: 3, kind: 'changed' }])
    await collection().deleteOne(at(2))
    expect((await verifyWorkspace({ ...ofAnn(), records, threads })).faults).toContainEqual({ seq: 2, kind: 'missing' })
  })

  test('names an entry that was changed', async () => {
    await collection().updateOne(at(3), { $set: { 'actor.id': 'f'.repeat(24) } })
    const { exitCode, output } = await verify(ann)
    expect([exitCode, output]).toEqual([1, expect.stringMatching(/"seq":3,"kind":"changed"/)])
    expect(output).not.toMatch(/"seq":[245],"kind"/)
  })

  test('names an entry that was deleted, also the last one', async () => {
    await collection().deleteOne(at(2))
    expect((await verify(ann)).output).toMatch(/"seq":2,"kind":"missing"/)
    await collection().deleteOne(at(5))
    expect((await verify(ann)).output).toMatch(/"seq":5,"kind":"missing"/)
  })

  test('names an entry that was added', async () => {
    for (const seq of [5, 4, 3]) await collection().updateOne(at(seq), { $set: { seq: seq + 1 } })
    const { _id, ...copy } = await read(2)
    await collection().insertOne({ ...copy, seq: 3 })
    expect((await verify(ann)).output).toMatch(/"seq":3,"kind":"(added|moved)"/)
  })

  test('names two that were swapped', async () => {
    const [second, fourth] = [await read(2), await read(4)]
    for (const { _id } of [second, fourth]) await collection().deleteOne({ _id })
    await collection().insertMany([
      { ...second, seq: 4 },
      { ...fourth, seq: 2 },
    ])
    const { output } = await verify(ann)
    expect(output).toMatch(/"seq":2,"kind":"moved"/)
    expect(output).toMatch(/"seq":4,"kind":"moved"/)
  })

  test('names what was removed from its end together with its head, by an anchor', async () => {
    const { hash: anchor } = await read(5)
    const { hash } = await read(4)
    await collection().deleteOne(at(5))
    await people.profile.database.connection
      .collection('auditHeads')
      .updateOne({ _id: new Types.ObjectId(ann.context.workspaceId) }, { $set: { seq: 4, hash } })
    expect((await verify(ann)).exitCode).toBe(0)
    expect((await verify(ann, '--anchor', `5:${anchor}`)).output).toMatch(/"seq":5,"kind":"missing"/)
  })

  test('is verified in an export too, whatever was done to the file', async () => {
    const { text } = await people.profile.call('GET', '/api/audit/file', { token: await ann.token() })
    const file = join(tmpdir(), `audit-${ann.context.workspaceId}.ndjson`)
    const check = async (content: string) => {
      await writeFile(file, content)
      return runToEnd(verifyFile, { AUDIT_KEYS: auditKeys }, ['--file', file])
    }
    const lines = text.trimEnd().split('\n')
    expect(lines).toHaveLength(5)
    expect(await check(text)).toMatchObject({ exitCode: 0 })
    expect((await check(lines.toSpliced(1, 1).join('\n'))).output).toMatch(/"seq":2,"kind":"missing"/)
    expect((await check(text.replace('"seq":3', '"seq":3,"outcome":"refused"'))).output).toMatch(
      /"seq":3,"kind":"changed"/,
    )
    // The export itself stands in the log.
    await expect.poll(() => actionsOf(ann, '?resource=audit')).toEqual(['audit.download'])
  })

  test('another key proves nothing', async () => {
    const other = `k1:${Buffer.alloc(32, 8).toString('base64')}`
    const { exitCode } = await runToEnd(verifyFile, { MONGODB_URL: people.profile.database.url, AUDIT_KEYS: other }, [
      '--workspace',
      ann.context.workspaceId,
    ])
    expect(exitCode).toBe(1)
  })

  describe('whose first entries are over their time', () => {
    /** Removes what is older than an entry, as on the day on which the time of those before it is over. */
    async function pruneBefore(seq: number): Promise<{ removed: number; problems: string[] }> {
      const entry = await collection().findOne(at(seq))
      const problems: string[] = []
      const prune = createPruner(people.profile.database.connection, ring, {
        retentionOf: async () => ({ days: 400, version: 0 }),
        logger: { error: (_: unknown, text?: string) => void problems.push(String(text)) },
        now: () => Number(entry?.['at']) + 400 * 86_400_000,
      })
      return { removed: await prune(ann.context.workspaceId), problems }
    }
    const heads = () => people.profile.database.connection.collection('auditHeads')
    const head = () => ({ _id: new Types.ObjectId(ann.context.workspaceId) })

    test('verifies from its checkpoint, goes on, and names what is missing of the rest', async () => {
      expect(await pruneBefore(4)).toEqual({ removed: 3, problems: [] })
      expect(await collection().countDocuments(own(ann))).toBe(2)
      await rename(ann, 'F')
      await sealed(ann, 3)
      expect(await verify(ann)).toMatchObject({ exitCode: 0 })
      // Nothing else is over its time.
      expect(await pruneBefore(4)).toEqual({ removed: 0, problems: [] })
      await collection().deleteOne(at(4))
      expect((await verify(ann)).output).toMatch(/"seq":4,"kind":"missing"/)
    })

    test('is verified in an export too', async () => {
      await pruneBefore(4)
      const { text } = await people.profile.call('GET', '/api/audit/file', { token: await ann.token() })
      const file = join(tmpdir(), `audit-pruned-${ann.context.workspaceId}.ndjson`)
      await writeFile(file, text)
      const check = () => runToEnd(verifyFile, { AUDIT_KEYS: auditKeys }, ['--file', file])
      expect(await check()).toMatchObject({ exitCode: 0 })
      await writeFile(file, text.replace('"seq":3', '"seq":2'))
      expect((await check()).exitCode).toBe(1)
    })

    test('names a checkpoint that somebody without the key has moved', async () => {
      await pruneBefore(3)
      const { hash } = await read(3)
      await collection().deleteOne(at(3))
      await heads().updateOne(head(), { $set: { 'from.seq': 3, 'from.hash': hash } })
      expect((await verify(ann)).output).toMatch(/"seq":3,"kind":"changed"/)
    })

    test('keeps what was altered, and says so', async () => {
      await collection().updateOne(at(2), { $set: { outcome: 'refused' } })
      const { removed, problems } = await pruneBefore(5)
      expect([removed, problems]).toEqual([0, [expect.stringContaining('altered')]])
      expect((await verify(ann)).output).toMatch(/"seq":2,"kind":"changed"/)
    })
  })
})
