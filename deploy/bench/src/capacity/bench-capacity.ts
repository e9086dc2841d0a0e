import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Redis } from 'ioredis'
import { MongoClient } from 'mongodb'
import { createPerson, type Person } from '../calls.ts'
import { inTurns } from '../load.ts'
import { residentMiB } from '../machine.ts'
import { startNode, withCleanUp } from '../program.ts'
import { loadNow, table } from '../report.ts'
import { bffEnvironment, childrenOf, production, startBenchStack } from '../stack.ts'
import { costOfEach, readMeter } from './costs.ts'

/**
 * `npm run bench -- capacity`: what each operation of the sign-in path costs every process, Redis and MongoDB; the capacity page
 * starts from these metrics. CPU time is compared rather than throughput, which other work on the machine changes.
 * `KEYCLOAK=real` measures a Keycloak in place of the stand-in; `--short` proves that the bench itself works.
 */
const { values: flags } = parseArgs({ options: { short: { type: 'boolean', default: false } } })
const peopleCount = flags.short ? 6 : 150
const calls = flags.short ? 60 : 3000
/** Passwords are hashed for a large part of a second of CPU: more at once would only wait for each other. */
const few = 3
const many = 16
/** Tokens live for 300 s, and are renewed once less than 90 are left. */
const renewedAfterMs = 215_000
console.log(`load before the run ${loadNow()}`)

await withCleanUp(run)

async function run(cleanUp: AsyncDisposableStack): Promise<void> {
  const bench = cleanUp.use(
    await startBenchStack({
      components: ['mongodb', 'redis', 'mail', 'identity-provider', 'identity', 'profile'],
      env: { profile: production, identity: production },
      environment: process.env['KEYCLOAK']
        ? { ...process.env, MONGODB_URL: '', REDIS_URL: '', OIDC_ISSUER: '', SMTP_URL: '' }
        : {},
    }),
  )
  const { stack, dataDir, folder } = bench
  const redis = new Redis(stack.urls.redis)
  cleanUp.defer(async () => redis.disconnect())
  const mongodb = cleanUp.use(new MongoClient(stack.urls.mongodb))
  const env = bffEnvironment(bench)
  const bff = cleanUp.use(await startNode({ name: 'bff', script: 'bff/src/server.ts', env, folder }))

  const app = `http://127.0.0.1:${stack.env.bff['PORT']}`
  const processes = { bff: bff.pid(), ...childrenOf(dataDir) }
  const people = Array.from({ length: peopleCount }, (_, nth) => createPerson(app, `p-${nth}@capacity.parley.test`))
  const operations: Record<string, [count: number, atOnce: number, work: (person: Person, turn: number) => unknown]> = {
    'sign-up': [peopleCount, few, (person) => person.signUp()],
    'password sign-in': [peopleCount, few, (person) => person.signIn()],
    'GET user': [calls * 2, many, (person) => person.user()],
    'session check': [calls, many, (person) => person.session()],
    'profile write': [calls, many, (person, turn) => person.write(`number ${turn}`)],
    refresh: [peopleCount, few, renew],
    'sign-out': [peopleCount, few, (person) => person.signOut()],
  }
  const cpuRows: string[][] = []
  const storeLines: string[] = []
  const idle = memoryNow(processes)
  let signedInAt = 0
  for (const [name, [count, atOnce, work]] of Object.entries(operations)) {
    // Work left over from the operation before does not count towards this one.
    await delay(name === 'refresh' ? Math.max(1000, signedInAt + renewedAfterMs - Date.now()) : 1000)
    const before = await readMeter({ processes, redis, mongodb })
    const perSecond = await inTurns({ count, atOnce }, async (turn) => {
      const person = people[turn % people.length]
      if (person) await work(person, turn)
    })
    const cost = costOfEach(before, await readMeter({ processes, redis, mongodb }), count)
    if (name === 'password sign-in') signedInAt = Date.now()
    const cpu = Object.keys(processes).map((process) => String(Math.round(cost.cpu[process] ?? 0)))
    cpuRows.push([name, String(Math.round(perSecond)), ...cpu])
    const bytes = (kind: 'redis' | 'mongodb' | 'journal') => `${Math.round(cost.bytes[kind] ?? 0)} bytes`
    storeLines.push(
      `${name}: Redis ${text(cost.redisCommands)}, ${bytes('redis')}; ` +
        `MongoDB ${text(cost.mongodbOperations)}, ${bytes('mongodb')} kept, ${bytes('journal')} of journal`,
    )
  }
  const names = Object.keys(processes)
  console.log(`\nCPU of each operation in microseconds\n${table([['operation', 'here /s', ...names], ...cpuRows])}`)
  console.log(storeLines.join('\n'))
  const loaded = memoryNow(processes)
  const memoryRows = names.map((name, index) => [name, String(idle[index]), String(loaded[index])])
  console.log(`\n${table([['MiB resident', 'idle', 'after the load'], ...memoryRows])}`)
  console.log(`load after the run ${loadNow()}`)
}

async function renew(person: Person): Promise<void> {
  if (!(await person.session())) throw new Error('the token was not renewed')
}

function text(counts: Readonly<Record<string, number>>): string {
  const parts = Object.entries(counts).map(([name, count]) => `${name} ${count}`)
  return parts.join(', ')
}

function memoryNow(processes: Readonly<Record<string, number>>): number[] {
  return Object.values(processes).map(residentMiB)
}
