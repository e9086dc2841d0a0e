import { botsApi } from '@parley/contracts/automation/bots'
import type { DraftFlow } from '@parley/contracts/automation/flow'
import { createLogger } from '@parley/service-kit/core/logger'
import { createMetrics } from '@parley/service-kit/core/metrics'
import { laneOf } from '@parley/service-kit/queue/lanes'
import { createQueues } from '@parley/service-kit/queue/queues'
import { freePort } from '@parley/service-kit/testing/free-port'
import { startInternalAuthority } from '@parley/service-kit/testing/internal-authority'
import { MongoClient, ObjectId } from 'mongodb'
import { z } from 'zod'
import { createAsk } from '../calls.ts'
import { cpuMicroseconds } from '../machine.ts'
import { type Program, startNode, until } from '../program.ts'
import { production, startBenchStack } from '../stack.ts'

/** Texts of each customer: a keyword, and the answer to the question that it starts. */
export const texts = ['hi', 'blue'] as const

const figuresSchema = z.object({
  calls: z.number(),
  sends: z.number(),
  requests: z.number(),
  firstAt: z.number(),
  lastAt: z.number(),
})
export type Rig = Awaited<ReturnType<typeof startRig>>

const node = (id: string, type: DraftFlow['nodes'][number]['type'], settings: { kind: string }) => ({
  id,
  type,
  label: '',
  description: '',
  position: { x: 0, y: 0 },
  settings,
})
/** Asks for one thing, and says thanks. */
const flow: DraftFlow = {
  format: 2,
  nodes: [
    node('start', 'trigger', { kind: 'keyword', keywords: ['hi'], match: 'word' } as { kind: string }),
    node('ask', 'action', { kind: 'ask', text: 'Hi {{first_name|there}}, which colour?', attribute: 'colour' } as {
      kind: string
    }),
    node('thanks', 'action', { kind: 'send_text', text: 'Thanks, {{last_answer}} it is.' } as { kind: string }),
    node('end', 'action', { kind: 'end' }),
  ],
  edges: [
    { id: 'a', source: 'start', branch: 'next', target: 'ask' },
    { id: 'b', source: 'ask', branch: 'next', target: 'thanks' },
    { id: 'c', source: 'thanks', branch: 'next', target: 'end' },
  ],
}

/**
 * Automation on stores of its own, with messaging in memory, and a bot in each of some workspaces.
 * @param options.profiles folder for CPU profiles of the workers; none are taken where it is absent.
 */
export async function startRig(
  cleanUp: AsyncDisposableStack,
  workspaces: number,
  { profiles }: { profiles?: string | undefined } = {},
) {
  const authority = await startInternalAuthority()
  cleanUp.defer(() => authority.close())
  const port = String(await freePort())
  const messaging = `http://127.0.0.1:${port}`
  const others = { MESSAGING_URL: messaging, PROFILE_URL: messaging, ...production }
  const bench = await startBenchStack({
    components: ['mongodb', 'redis', 'automation'],
    env: { automation: { ...others, INTERNAL_ISSUERS: authority.issuers } },
  })
  const { stack, folder } = cleanUp.use(bench)
  const script = 'deploy/bench/src/automation/messaging.process.ts'
  const stub = cleanUp.use(await startNode({ name: 'messaging', script, env: { PORT: port }, folder }))
  const queues = createQueues({
    url: stack.env.automation['REDIS_URL'] ?? '',
    service: 'automation',
    logger: createLogger({ name: 'bench', level: 'silent' }),
    metrics: createMetrics('bench'),
  })
  cleanUp.defer(() => queues.close(0))
  const client = cleanUp.use(new MongoClient(stack.env.automation['MONGODB_URL'] ?? ''))
  const db = client.db()
  const newIds = () => Array.from({ length: workspaces }, () => new ObjectId().toHexString())
  const [workspaceIds, bareIds] = [newIds(), newIds()]
  for (const wid of workspaceIds) await publish(wid)

  /** Calls of an owner of a workspace, for two minutes. */
  async function askAs(wid: string) {
    const claims = { sub: 'b'.repeat(24), wid, role: 'owner', aud: 'automation' } as const
    const person = { email: 'bench@parley.test', email_verified: true, provider: 'password' }
    const authorization = `Bearer ${await authority.userToken({ ...claims, ...person })}`
    return createAsk(`http://127.0.0.1:${stack.env.automation['PORT']}`, { authorization })
  }

  async function publish(wid: string): Promise<void> {
    const ask = await askAs(wid)
    const botSchema = z.object({ id: z.string(), version: z.number(), settings: z.record(z.string(), z.unknown()) })
    const made = botSchema.parse(await ask('POST', botsApi.create.path, { name: 'Bench', draft: flow }))
    const path = botsApi.read.path.replace(':id', made.id)
    const settings = { ...made.settings, collectSeconds: 0 }
    const { version } = botSchema.parse(await ask('PATCH', path, { version: made.version, settings }))
    const { problems } = z
      .object({ problems: z.array(z.object({ code: z.string() })) })
      .parse(await ask('POST', `${path}/check`, {}))
    await ask('POST', `${path}/publish`, { version, start: true, accept: problems.map(({ code }) => code) })
  }

  async function startWorker(): Promise<Program> {
    const env = { ...stack.env['automation-worker'], ...others, PORT: String(await freePort()) }
    const nodeArguments = profiles === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profiles}`]
    const script = 'services/automation/src/worker.ts'
    return startNode({ name: 'automation-worker', script, env, folder, nodeArguments })
  }
  const figures = async () => figuresSchema.parse(await createAsk(messaging)('GET', '/bench/figures'))

  /** New customers write in some workspaces, and `work` has them answered. @returns inputs per second. */
  async function talk(customers: number, ids: readonly string[], work: () => Promise<unknown>): Promise<number> {
    await createAsk(messaging)('POST', '/bench/say', { workspaceIds: ids, customers, texts: [...texts] })
    const inputs = customers * texts.length * ids.length
    const startedAt = Date.now()
    await work()
    const workedUntil = Date.now()
    await until('all are answered', async () => (await figures()).sends >= inputs, { everyMs: 20, limitMs: 300_000 })
    const { firstAt, lastAt } = await figures()
    // Much is read and written before the first answer leaves, and after the last one.
    return (inputs * 1000) / (Math.max(workedUntil, lastAt) - Math.min(startedAt, firstAt))
  }
  /** Workers that run answer new customers. */
  const talkToBots = (customers: number) =>
    talk(customers, workspaceIds, () => queues.lanes('events').wake(workspaceIds.map(laneOf)))

  const databasePid = Number((await db.admin().serverStatus())['pid'])

  /** Counts the operations of the database so far, and the microseconds of CPU that it and messaging have used. */
  async function used() {
    const { opcounters, transactions } = await db.admin().serverStatus()
    const { query, insert, update, delete: removed } = opcounters
    const { totals } = await db.admin().command({ top: 1 })
    const entries = Object.entries<Record<string, { count: number }>>(totals)
    const own = entries.filter(([name]) => name.startsWith(`${db.databaseName}.`))
    const collections = own.map(([name, top]) => {
      const reads = countOf(top, 'queries', 'getmore')
      const writes = countOf(top, 'insert', 'update', 'remove')
      return [name.slice(db.databaseName.length + 1), { reads, writes }] as const
    })
    return {
      operations: [query, insert, update, removed].reduce((sum, count) => sum + Number(count), 0),
      commits: Number(transactions.totalCommitted),
      calls: (await figures()).requests,
      databaseCpu: cpuMicroseconds(databasePid),
      messagingCpu: cpuMicroseconds(stub.pid()),
      collections: new Map(collections),
    }
  }

  return { db, client, messaging, workspaceIds, bareIds, askAs, startWorker, talk, talkToBots, used }
}

const countOf = (top: Record<string, { count: number }>, ...kinds: readonly string[]): number =>
  kinds.reduce((sum, kind) => sum + Number(top[kind]?.count ?? 0), 0)
