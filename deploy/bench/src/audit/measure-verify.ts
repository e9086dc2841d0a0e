import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { repoRoot } from '@parley/local/paths'
import { digestOf } from '@parley/service-kit/data/audit-log'
import { freePort } from '@parley/service-kit/testing/free-port'
import { MongoClient, ObjectId } from 'mongodb'
import { cpuMicroseconds } from '../machine.ts'
import { startNode, until } from '../program.ts'
import { log, type Measure } from '../report.ts'
import { production, startBenchStack } from '../stack.ts'

const chunk = 5000

/** Rate at which `audit-verify.ts` verifies a workspace, as its operator runs it: its start, which a workspace of one entry takes, is no part. */
export async function measureVerify(size: number, rounds: number, cleanUp: AsyncDisposableStack): Promise<Measure[]> {
  const { stack, folder } = cleanUp.use(await startBenchStack({ components: ['mongodb', 'redis', 'profile'] }))
  const client = cleanUp.use(new MongoClient(stack.env.profile['MONGODB_URL'] ?? ''))
  const entries = client.db().collection('auditEntries')
  const [many, one] = [new ObjectId(), new ObjectId()]
  log(`${size.toLocaleString('en')} entries …`)
  for (let made = 0; made < size; made += chunk)
    await entries.insertMany(Array.from({ length: Math.min(chunk, size - made) }, () => entryOf(many)))
  await entries.insertOne(entryOf(one))
  const env = { ...stack.env['profile-worker'], ...production, PORT: String(await freePort()) }
  cleanUp.use(await startNode({ name: 'profile-worker', script: 'services/profile/src/worker.ts', env, folder }))
  await until('all are sealed', async () => (await entries.countDocuments({ fresh: true }, { limit: 1 })) === 0, {
    limitMs: 300_000,
  })
  /** Times in milliseconds. Where others work on the machine, too, its own CPU is what can be compared. */
  async function verify(workspaceId: ObjectId): Promise<{ wall: number; cpu: number }> {
    const script = join(repoRoot, 'services/profile/src/audit-verify.ts')
    const startedAt = performance.now()
    const child = spawn(process.execPath, [script, '--workspace', workspaceId.toHexString()], { env, stdio: 'ignore' })
    let cpu = 0
    const look = setInterval(() => {
      cpu = cpuMicroseconds(child.pid ?? 0) / 1000 || cpu
    }, 10)
    const [code] = await once(child, 'exit')
    clearInterval(look)
    if (code !== 0) throw new Error('the entries could not be verified')
    return { wall: performance.now() - startedAt, cpu }
  }
  await verify(one)
  const rates: { wall: number; cpu: number }[] = []
  for (let round = 0; round < rounds; round += 1) {
    const [start, whole] = [await verify(one), await verify(many)]
    const rate = (of: 'wall' | 'cpu') => (size * 1000) / (whole[of] - start[of])
    rates.push({ wall: rate('wall'), cpu: rate('cpu') })
  }
  return [
    { name: 'entries verified', values: rates.map(({ wall }) => wall), unit: '/s', goal: { atLeast: 50_000 } },
    { name: 'entries verified in a second of its CPU', values: rates.map(({ cpu }) => cpu), unit: '/s' },
  ]
}

/** An entry as a member's change of a contact leaves it. */
function entryOf(workspaceId: ObjectId) {
  const personal = { salt: randomBytes(16).toString('base64url'), ip: '203.0.113.9', device: 'Firefox on Linux' }
  return {
    _id: new ObjectId(),
    workspaceId,
    actor: { kind: 'user', id: 'a'.repeat(24) },
    action: 'contacts.update',
    resource: 'contacts',
    targets: [{ kind: 'contact', id: new ObjectId().toHexString() }],
    changes: [{ field: 'name' }, { field: 'blocked', from: false, to: true }],
    outcome: 'done',
    requestId: new ObjectId().toHexString(),
    at: new Date(),
    personal,
    personalDigest: digestOf(personal),
    fresh: true,
  }
}
